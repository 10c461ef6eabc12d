import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { trackUnread } from './unread-responses.ts'

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

describe('a response that is not read', () => {
  it('is disconnected when its time is over, even while it is read slowly', () => {
    const unread = trackUnread(limits)
    const answer = response()
    unread.track('ada', asResponse(answer), 100)

    vi.advanceTimersByTime(29_000)
    expect(answer.destroyed).toBe(false)
    vi.advanceTimersByTime(1000)

    expect(answer.destroyed).toBe(true)
    expect(unread.load()).toEqual({ answers: 0, bytes: 0 })
  })

  it('is no longer tracked once it was read', () => {
    const unread = trackUnread(limits)
    const answer = response()
    unread.track('ada', asResponse(answer), 100)

    answer.emit('close')
    vi.advanceTimersByTime(60_000)

    expect(answer.destroyed).toBe(false)
    expect(unread.load()).toEqual({ answers: 0, bytes: 0 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('counts for its own party only, which gets no more above a quarter of the limit', () => {
    const unread = trackUnread(limits)

    unread.track('ada', asResponse(response()), 251)
    unread.track('grace', asResponse(response()), 250)

    expect([unread.isOver('ada'), unread.isOver('grace'), unread.isOver('mary')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is disconnected above the total limit, the oldest of the largest party first', () => {
    const unread = trackUnread(limits)
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
