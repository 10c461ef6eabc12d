import { expect, it } from 'vitest'
import { parseStolenMs, parseTicks, stolenBetween } from './stolen.ts'

it('reads the time that the host gave to other machines', () => {
  const stat = 'cpu  100 5 20 300 10 2 3 60 0 0\ncpu0 50 2 10 150 5 1 1 30 0 0\n'

  expect(parseTicks(stat)).toEqual({ all: 500, stolen: 60 })
  expect(parseStolenMs(stat)).toEqual([300])
})

it('returns the time taken in a period from the processor that lost the most', () => {
  const samples = [0, 20, 40, 60, 80].map((at) => ({ at, ms: [7, at >= 40 ? 110 : 100] }))

  expect(stolenBetween(samples, 25, 35)).toBe(10)
  expect(stolenBetween(samples, 0, 15)).toBe(0)
  expect(stolenBetween(samples, 45, 1000)).toBe(0)
})
