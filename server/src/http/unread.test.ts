import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchUnread } from './unread.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits = { maxBytes: 1000, patienceMs: 20_000, bytesPerSecond: 10 }

function response() {
  const made = new EventEmitter() as EventEmitter & { destroyed: boolean; destroy(): void }
  made.destroyed = false
  made.destroy = () => {
    made.destroyed = true
    made.emit('close')
  }
  return made
}

const asResponse = (made: ReturnType<typeof response>) => made as unknown as ServerResponse

describe('an answer that is not read', () => {
  it('is cut when its time is over, however slowly it is taken', () => {
    const unread = watchUnread(limits)
    const answer = response()
    unread.track('ada', asResponse(answer), 100)

    vi.advanceTimersByTime(29_000)
    expect(answer.destroyed).toBe(false)
    vi.advanceTimersByTime(1000)

    expect(answer.destroyed).toBe(true)
    expect(unread.load()).toEqual({ answers: 0, bytes: 0 })
  })

  it('is forgotten as soon as it was taken', () => {
    const unread = watchUnread(limits)
    const answer = response()
    unread.track('ada', asResponse(answer), 100)

    answer.emit('close')
    vi.advanceTimersByTime(60_000)

    expect(answer.destroyed).toBe(false)
    expect(unread.load()).toEqual({ answers: 0, bytes: 0 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('counts against its own party only: past a quarter it is given no more', () => {
    const unread = watchUnread(limits)

    unread.track('ada', asResponse(response()), 251)
    unread.track('grace', asResponse(response()), 250)

    expect([unread.isOver('ada'), unread.isOver('grace'), unread.isOver('mary')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is cut where all together are too much: the oldest of the party with the most', () => {
    const unread = watchUnread(limits)
    const answers = [300, 400, 400].map((bytes, at) => {
      const answer = response()
      unread.track(at === 0 ? 'grace' : 'ada', asResponse(answer), bytes)
      return answer
    })

    vi.advanceTimersByTime(1000)

    expect(answers.map(({ destroyed }) => destroyed)).toEqual([false, true, false])
    expect(unread.load()).toEqual({ answers: 2, bytes: 700 })
  })
})
