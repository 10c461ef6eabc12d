import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSlowLimit } from './limit-slow.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Requests that last until they are answered or aborted. */
function requestsLimitedTo(most: number) {
  const limit = createSlowLimit({ most, afterMs: 3000 })
  return (options?: { isSlow?: boolean; userId?: string }) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const result = limit((signal) => {
      if (signal.aborted) return Promise.resolve('refused')
      signal.addEventListener('abort', () => resolve('aborted'))
      return promise
    }, options)
    return { result, answer: () => resolve('answered') }
  }
}

describe('slow requests', () => {
  it('are aborted after 3 s while the allowed number are slow', async () => {
    const begin = requestsLimitedTo(2)
    const [first, second, third] = [begin(), begin(), begin()]

    await vi.advanceTimersByTimeAsync(2999)
    third.answer()
    expect(await third.result).toBe('answered')

    const fourth = begin()
    await vi.advanceTimersByTimeAsync(3000)
    expect(await fourth.result).toBe('aborted')

    first.answer()
    second.answer()
    expect(await Promise.all([first.result, second.result])).toEqual(['answered', 'answered'])
  })

  it('make room when they end', async () => {
    const begin = requestsLimitedTo(1)
    const first = begin()
    await vi.advanceTimersByTimeAsync(3000)
    first.answer()
    await first.result

    const second = begin()
    await vi.advanceTimersByTimeAsync(20_000)
    second.answer()
    expect(await second.result).toBe('answered')
  })

  it('count from the start for a minute if another of the user was slow', async () => {
    const begin = requestsLimitedTo(1)
    const [first, second] = [begin({ userId: 'ada' }), begin({ userId: 'ada' })]
    await vi.advanceTimersByTimeAsync(3000)
    expect(await second.result).toBe('aborted')

    expect(await begin({ userId: 'ada' }).result).toBe('refused')
    const others = begin({ userId: 'grace' })
    others.answer()
    expect(await others.result).toBe('answered')

    await vi.advanceTimersByTimeAsync(60_000)
    const later = begin({ userId: 'ada' })
    later.answer()
    expect(await later.result).toBe('answered')
    first.answer()
  })

  it('count from the start if they are known to be slow', async () => {
    const begin = requestsLimitedTo(1)
    const first = begin({ isSlow: true })
    expect(await begin({ isSlow: true }).result).toBe('refused')

    const fast = begin()
    await vi.advanceTimersByTimeAsync(2999)
    fast.answer()
    first.answer()
    expect(await Promise.all([first.result, fast.result])).toEqual(['answered', 'answered'])
    const next = begin({ isSlow: true })
    next.answer()
    expect(await next.result).toBe('answered')
  })
})
