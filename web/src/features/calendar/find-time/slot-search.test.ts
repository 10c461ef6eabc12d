import { describe, expect, it } from 'vitest'
import { initialForm, searchOf } from './slot-search.ts'

const today = Temporal.PlainDate.from('2026-03-02')
const zone = 'Australia/Sydney'

describe('the search for a time', () => {
  it('covers seven days from now by default', () => {
    expect(searchOf(initialForm(today), undefined, today, zone)).toEqual({
      minutes: 60,
      until: new Date('2026-03-08T13:00:00Z'),
      count: 5,
    })
  })
  it('begins with the first day and includes the last', () => {
    const form = { minutes: 30, first: '2026-03-05', last: '2026-03-05' }
    const windows = [{ day: [1], start: '10:00', end: '11:00' }]

    expect(searchOf(form, windows, today, zone)).toMatchObject({
      windows,
      from: new Date('2026-03-04T13:00:00Z'),
      until: new Date('2026-03-05T13:00:00Z'),
    })
  })
  it.for([
    ['the last day is before the first', { first: '2026-03-06', last: '2026-03-05' }],
    ['the last day is past', { first: '2026-02-20', last: '2026-03-01' }],
    ['a day is missing', { first: '2026-03-05', last: '' }],
  ] as const)('is not made if %s', ([, days]) => {
    expect(searchOf({ minutes: 30, ...days }, undefined, today, zone)).toBeUndefined()
  })
})
