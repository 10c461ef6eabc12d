import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Lifecycle } from './lifecycle.ts'
import { delayRefusals } from './delay-refusals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Refuses `count` requests together; `answered` grows as the answers are sent. */
function refuse(count: number, lifecycle: Lifecycle = { phase: 'serving' }) {
  const answered: Record<string, unknown>[] = []
  const hold = delayRefusals(lifecycle, {})
  for (let number = 0; number < count; number += 1) {
    const raw = Object.assign(new EventEmitter(), {
      writeHead: (status: number, headers: object) => answered.push({ status, ...headers }),
      end: () => raw.emit('close'),
    })
    const reply = { raw, hijack: () => {} } as unknown as FastifyReply
    hold({ id: String(number) } as FastifyRequest, reply)
  }
  return { answered, lifecycle }
}

describe('a refusal', () => {
  it('is delayed by 60 to 540 ms if there are few', () => {
    const { answered } = refuse(30)

    vi.advanceTimersByTime(59)
    expect(answered).toHaveLength(0)
    vi.advanceTimersByTime(540 - 59)

    expect(answered).toHaveLength(30)
    expect(answered[0]).toMatchObject({ status: 503, 'retry-after': '1' })
  })

  it('is delayed by up to 9 s if there are many, with a longer Retry-After', () => {
    const { answered } = refuse(2000)

    vi.advanceTimersByTime(2000)
    expect(answered.length).toBeLessThan(1000)
    vi.advanceTimersByTime(7000)

    expect(answered).toHaveLength(2000)
    expect(answered.filter((answer) => Number(answer['retry-after']) > 5)).not.toHaveLength(0)
  })

  it('is sent immediately if holding it would take too much memory', () => {
    const { answered } = refuse(6000)

    vi.advanceTimersByTime(0)

    expect(answered).toHaveLength(1000)
  })

  it('is sent within 250 ms once the process drains', () => {
    const { answered, lifecycle } = refuse(2000)

    lifecycle.phase = 'draining'
    vi.advanceTimersByTime(250)

    expect(answered).toHaveLength(2000)
  })
})
