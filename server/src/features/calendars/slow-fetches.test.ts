import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limitSlowFetches } from './slow-fetches.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Fetches that last until they are released or ended. */
function fetchesLimitedTo(most: number) {
  const limitSlow = limitSlowFetches(most)
  return () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const result = limitSlow((signal) => {
      signal.addEventListener('abort', () => resolve('ended'))
      return promise
    })
    return { result, answer: () => resolve('answered') }
  }
}

describe('slow fetches', () => {
  it('are aborted after 3 s while the allowed number are slow', async () => {
    const begin = fetchesLimitedTo(2)
    const [first, second, third] = [begin(), begin(), begin()]

    await vi.advanceTimersByTimeAsync(2999)
    third.answer()
    expect(await third.result).toBe('answered')

    const fourth = begin()
    await vi.advanceTimersByTimeAsync(3000)
    expect(await fourth.result).toBe('ended')

    first.answer()
    second.answer()
    expect(await Promise.all([first.result, second.result])).toEqual(['answered', 'answered'])
  })

  it('make room when they end', async () => {
    const begin = fetchesLimitedTo(1)
    const first = begin()
    await vi.advanceTimersByTimeAsync(3000)
    first.answer()
    await first.result

    const second = begin()
    await vi.advanceTimersByTimeAsync(20_000)
    second.answer()
    expect(await second.result).toBe('answered')
  })
})
