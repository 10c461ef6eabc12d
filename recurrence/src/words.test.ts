import { expect, it } from 'vitest'
import type { Series } from './series.ts'
import { describeSeries } from './words.ts'

const base: Series = {
  kind: 'calendar',
  rule: '',
  times: null,
  startsOn: '2026-03-06',
  endsOn: null,
  most: null,
  startTime: '00:00',
  dueTime: null,
  leadDays: 0,
  missed: 'wait',
}

it.each<[string, Partial<Series> & { rule: string }]>([
  ['every day', { rule: 'FREQ=DAILY' }],
  ['every 3 days', { rule: 'FREQ=DAILY;INTERVAL=3' }],
  ['every Friday', { rule: 'FREQ=WEEKLY;BYDAY=FR' }],
  ['every Monday, Wednesday and Friday', { rule: 'FREQ=WEEKLY;BYDAY=FR,MO,WE' }],
  ['every weekday', { rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' }],
  ['every week on Friday', { rule: 'FREQ=WEEKLY' }],
  [
    'every 2 weeks on Friday, until 30 June 2026',
    { rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR', endsOn: '2026-06-30' },
  ],
  ['every month on the 6th, 10 times in all', { rule: 'FREQ=MONTHLY', most: 10 }],
  [
    'every month on the 31st (the last day of a shorter month)',
    { rule: 'FREQ=MONTHLY;BYMONTHDAY=31' },
  ],
  ['every month on the last day', { rule: 'FREQ=MONTHLY;BYMONTHDAY=-1' }],
  ['every month on the 1st and the 15th', { rule: 'FREQ=MONTHLY;BYMONTHDAY=15,1' }],
  ['every month on the last Friday', { rule: 'FREQ=MONTHLY;BYDAY=-1FR' }],
  ['every month on the last weekday', { rule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1' }],
  ['every year on 6 March', { rule: 'FREQ=YEARLY' }],
  ['every year on 24 December', { rule: 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24' }],
  ['every year on the 2nd Sunday in May', { rule: 'FREQ=YEARLY;BYMONTH=5;BYDAY=2SU' }],
  ['every year in week 53', { rule: 'FREQ=YEARLY;BYWEEKNO=53' }],
  ['every year on the 100th day of the year', { rule: 'FREQ=YEARLY;BYYEARDAY=100' }],
  ['3 days after the last one', { kind: 'completion', rule: 'FREQ=DAILY;INTERVAL=3' }],
  [
    '2 weeks after the last one, on Sunday',
    { kind: 'completion', rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU' },
  ],
  ['3 times a week', { kind: 'times', times: 3, rule: 'FREQ=WEEKLY' }],
  ['twice a month', { kind: 'times', times: 2, rule: 'FREQ=MONTHLY' }],
  [
    'once every 2 weeks, on Monday to Friday',
    { kind: 'times', times: 1, rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR' },
  ],
])('describes a series as “%s”', (words, given) => {
  expect(describeSeries({ ...base, ...given })).toBe(words)
})
