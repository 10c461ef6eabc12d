import { describe, expect, it } from 'vitest'
import { choicesFor, ordinal } from './repeat-choices.ts'

const now = new Date('2026-11-17T10:00:00Z')

describe('the choices for a task', () => {
  it('repeat on the day on which the task is due', () => {
    const choices = choicesFor(new Date('2026-11-20T16:00:00Z'), 'Europe/Berlin', now)
    expect(choices.map(({ name }) => name)).toEqual([
      'Every day',
      'Every weekday',
      'Every Friday',
      'Every 2 weeks on Friday',
      'Every month on the 20th',
      'Every year on 20 November',
    ])
    expect(choices[2]?.rule).toEqual({
      kind: 'calendar',
      rule: 'FREQ=WEEKLY;BYDAY=FR',
      startsOn: '2026-11-20',
      dueTime: '17:00',
    })
  })

  it('start today and have no due time if the task has no due date', () => {
    const [, , weekly] = choicesFor(null, 'UTC', now)
    expect(weekly?.name).toBe('Every Tuesday')
    expect(weekly?.rule).toMatchObject({ startsOn: '2026-11-17', dueTime: null })
  })
})

it('formats ordinals', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31].map(ordinal)).toEqual(
    '1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 31st'.split(' '),
  )
})
