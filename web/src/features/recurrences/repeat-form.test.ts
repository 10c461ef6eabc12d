import type { Recurrence } from '@daywright/contract'
import { describe, expect, it } from 'vitest'
import {
  describeWeekday,
  formOf,
  inputOf,
  newForm,
  type RepeatForm,
  ruleOf,
} from './repeat-form.ts'

// The third Friday of its month.
const form = newForm('2026-11-20', '16:00')

describe('the rule of the form', () => {
  it.for([
    [{}, 'FREQ=WEEKLY;BYDAY=FR'],
    [{ days: ['FR', 'MO'], interval: 2 }, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR'],
    [{ days: [] }, 'FREQ=WEEKLY'],
    [{ unit: 'DAILY', interval: 3 }, 'FREQ=DAILY;INTERVAL=3'],
    [{ unit: 'MONTHLY' }, 'FREQ=MONTHLY;BYMONTHDAY=20'],
    [{ unit: 'MONTHLY', monthly: 'weekday' }, 'FREQ=MONTHLY;BYDAY=3FR'],
    [{ unit: 'MONTHLY', monthly: 'weekday', startsOn: '2026-11-27' }, 'FREQ=MONTHLY;BYDAY=-1FR'],
    [{ unit: 'YEARLY' }, 'FREQ=YEARLY'],
    [{ kind: 'completion', unit: 'WEEKLY', interval: 2 }, 'FREQ=WEEKLY;INTERVAL=2'],
    [{ kind: 'times', unit: 'WEEKLY', interval: 2 }, 'FREQ=WEEKLY'],
    [{ ownRule: 'FREQ=MONTHLY;BYMONTHDAY=1,15' }, 'FREQ=MONTHLY;BYMONTHDAY=1,15'],
  ] as [Partial<RepeatForm>, string][])('follows its fields: %j', ([changes, rule]) => {
    expect(ruleOf({ ...form, ...changes })).toBe(rule)
  })

  it('has an end date, a limit and a number of times only if they are chosen', () => {
    expect(inputOf(form)).toMatchObject({ endsOn: null, most: null, times: null, dueTime: '16:00' })
    expect(inputOf({ ...form, ends: 'day', endsOn: '2026-12-24' })).toMatchObject({
      endsOn: '2026-12-24',
    })
    expect(inputOf({ ...form, ends: 'count', most: 5 })).toMatchObject({ most: 5 })
    expect(inputOf({ ...form, kind: 'times' })).toMatchObject({ times: 3 })
  })
})

describe('the form of a recurrence', () => {
  const stored = (given: Partial<Recurrence>) =>
    ({
      kind: 'calendar',
      rule: 'FREQ=WEEKLY;BYDAY=FR',
      times: null,
      startsOn: '2026-11-20',
      endsOn: null,
      most: null,
      dueTime: null,
      missed: 'wait',
      ...given,
    }) as Recurrence

  it.for([
    'FREQ=DAILY',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR',
    'FREQ=MONTHLY;BYMONTHDAY=20',
    'FREQ=MONTHLY;BYDAY=3FR',
    'FREQ=YEARLY',
    'FREQ=MONTHLY;BYMONTHDAY=1,15',
    'FREQ=WEEKLY;WKST=SU;BYDAY=MO',
  ])('keeps %s', (rule) => {
    expect(inputOf(formOf(stored({ rule }))).rule).toBe(rule)
  })

  it('keeps the text of a rule that its fields cannot express', () => {
    expect(formOf(stored({ rule: 'FREQ=MONTHLY;BYMONTHDAY=1,15' })).ownRule).toBe(
      'FREQ=MONTHLY;BYMONTHDAY=1,15',
    )
    expect(formOf(stored({})).ownRule).toBe(null)
  })
})

it('describes a date as a weekday of its month', () => {
  expect(describeWeekday('2026-11-20')).toBe('the 3rd Friday')
  expect(describeWeekday('2026-11-27')).toBe('the last Friday')
})
