import { expect, it } from 'vitest'
import { lateBy } from './lateness.ts'

const dueAt = new Date('2026-11-17T09:00:00Z')

it.each([
  [20 / 60, '1m late'],
  [40, '40m late'],
  [119, '1h late'],
  [23 * 60, '23h late'],
  [49 * 60, '2d late'],
])('a block that ends %s minutes after its due date is %s', (minutes, expected) => {
  expect(lateBy(new Date(dueAt.getTime() + minutes * 60_000), dueAt)).toBe(expected)
})
