import { expect, it } from 'vitest'
import { parseTicks } from './stolen.ts'

it('reads the time that the host gave to others', () => {
  const stat = 'cpu  100 5 20 300 10 2 3 60 0 0\ncpu0 50 2 10 150 5 1 1 30 0 0\n'

  expect(parseTicks(stat)).toEqual({ all: 500, stolen: 60 })
})
