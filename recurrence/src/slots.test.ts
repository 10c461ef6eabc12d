import { describe, expect, it } from 'vitest'
import { readRule, RuleRefused } from './read-rule.ts'
import type { Series } from './series.ts'
import { dayAfterCompletion, nextSlot, slotsBetween } from './slots.ts'

const seriesOf = (rule: string, given: Partial<Series> = {}): Series => ({
  kind: 'calendar',
  rule,
  times: null,
  startsOn: '2026-01-01',
  endsOn: null,
  most: null,
  startTime: '00:00',
  dueTime: null,
  leadDays: 0,
  missed: 'wait',
  ...given,
})

const daysOf = (series: Series, after: string, to: string) =>
  slotsBetween(series, after, to).map(({ day }) => day)

describe('the days of a rule', () => {
  it.each<[string, string, string, string[]]>([
    // A month without the wanted day uses its last day; later months return to the wanted day.
    [
      'FREQ=MONTHLY;BYMONTHDAY=31',
      '2026-01-01',
      '2026-05-31',
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
    ],
    [
      'FREQ=MONTHLY',
      '2026-01-31',
      '2026-04-30',
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=30',
      '2028-01-01',
      '2028-03-31',
      ['2028-01-30', '2028-02-29', '2028-03-30'],
    ],
    // Both wanted days are the last of February: one occurrence.
    [
      'FREQ=MONTHLY;BYMONTHDAY=30,31',
      '2026-02-01',
      '2026-03-31',
      ['2026-02-28', '2026-03-30', '2026-03-31'],
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=15,31', '2026-02-01', '2026-03-01', ['2026-02-15', '2026-02-28']],
    [
      'FREQ=YEARLY',
      '2024-02-29',
      '2028-12-31',
      ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    [
      'FREQ=YEARLY;BYMONTH=2,4;BYMONTHDAY=31',
      '2026-01-01',
      '2026-12-31',
      ['2026-02-28', '2026-04-30'],
    ],
    // The last weekday of the month.
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      '2026-01-01',
      '2026-05-31',
      ['2026-01-30', '2026-02-27', '2026-03-31', '2026-04-30', '2026-05-29'],
    ],
    // Friday the 13th is not moved.
    [
      'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
      '2026-01-01',
      '2026-12-31',
      ['2026-02-13', '2026-03-13', '2026-11-13'],
    ],
    // With weeks from Sunday, Sunday and Monday are in the same week.
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU',
      '2026-03-01',
      '2026-03-17',
      ['2026-03-01', '2026-03-02', '2026-03-15', '2026-03-16'],
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=MO',
      '2026-03-01',
      '2026-03-17',
      ['2026-03-01', '2026-03-09', '2026-03-15'],
    ],
  ])('match %s from %s to %s', (rule, startsOn, to, days) => {
    expect(daysOf(seriesOf(rule, { startsOn }), '2023-12-31', to)).toEqual(days)
  })

  it('are the same wherever the window begins', () => {
    const series = seriesOf('FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=31')
    const whole = daysOf(series, '2025-12-31', '2027-12-31')
    for (let month = 1; month <= 12; month += 1) {
      const after = `2026-${String(month).padStart(2, '0')}-15`
      expect(daysOf(series, after, '2027-12-31')).toEqual(whole.filter((day) => day > after))
    }
  })

  it('open earlier by the lead days, and stop at the end of the series', () => {
    const series = seriesOf('FREQ=WEEKLY;BYDAY=FR', { leadDays: 2, endsOn: '2026-01-12' })
    expect(slotsBetween(series, '2025-12-31', '2026-01-14')).toEqual([
      { day: '2026-01-02', nth: 1, opensOn: '2025-12-31', dueOn: '2026-01-02' },
      { day: '2026-01-09', nth: 1, opensOn: '2026-01-07', dueOn: '2026-01-09' },
    ])
  })

  it('are found however far away they are, if they exist', () => {
    const leapMonday = seriesOf('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO')
    expect(nextSlot(leapMonday, '2026-01-01', new Set())?.day).toBe('2044-02-29')
    const never = seriesOf('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYDAY=MO')
    expect(nextSlot(never, '2026-01-01', new Set())).toBeUndefined()
    const skipped = new Set(['2026-02-02/1', '2026-02-09/1'])
    expect(nextSlot(seriesOf('FREQ=WEEKLY;BYDAY=MO'), '2026-01-31', skipped)?.day).toBe(
      '2026-02-16',
    )
  })
})

describe('a number of times per period', () => {
  const slices = (given: Partial<Series>, after: string, to: string) =>
    slotsBetween(seriesOf('FREQ=WEEKLY', { kind: 'times', ...given }), after, to).map(
      ({ day, nth, opensOn, dueOn }) => `${day}/${nth} ${opensOn.slice(8)}-${dueOn.slice(8)}`,
    )

  it('is spread over equal parts of the period, which share their first and last days', () => {
    expect(slices({ times: 3, startsOn: '2026-03-02' }, '2026-03-01', '2026-03-08')).toEqual([
      '2026-03-02/1 02-04',
      '2026-03-02/2 04-06',
      '2026-03-02/3 06-08',
    ])
  })

  it('begins and ends with the series', () => {
    const given = { times: 3, startsOn: '2026-03-05', endsOn: '2026-03-10' }
    expect(slices(given, '2026-03-01', '2026-03-31')).toEqual([
      '2026-03-02/2 05-06',
      '2026-03-02/3 06-08',
      '2026-03-09/1 09-10',
    ])
  })

  it('uses only the wanted days', () => {
    const given = { times: 2, startsOn: '2026-03-02', rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' }
    expect(slices(given, '2026-03-01', '2026-03-08')).toEqual([
      '2026-03-02/1 02-04',
      '2026-03-02/2 04-06',
    ])
    const months = { times: 1, startsOn: '2026-01-15', rule: 'FREQ=MONTHLY;INTERVAL=2' }
    expect(slices(months, '2026-01-01', '2026-03-31')).toEqual([
      '2026-01-01/1 15-28',
      '2026-03-01/1 01-30',
    ])
  })

  it('may be more than once a day', () => {
    const given = { times: 2, startsOn: '2026-03-02', rule: 'FREQ=DAILY' }
    expect(slices(given, '2026-03-01', '2026-03-02')).toEqual([
      '2026-03-02/1 02-02',
      '2026-03-02/2 02-02',
    ])
  })
})

describe('after completion', () => {
  it.each([
    ['FREQ=DAILY;INTERVAL=3', '2026-03-02', '2026-03-05'],
    ['FREQ=WEEKLY;INTERVAL=2', '2026-03-04', '2026-03-18'],
    // At least two weeks, whatever the first day of the week.
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU', '2026-03-04', '2026-03-22'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU', '2026-03-08', '2026-03-22'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=SU', '2026-03-04', '2026-03-22'],
    ['FREQ=WEEKLY;INTERVAL=4;BYDAY=SU', '2026-03-09', '2026-04-12'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', '2026-03-06', '2026-03-09'],
    ['FREQ=MONTHLY', '2026-01-31', '2026-02-28'],
    ['FREQ=YEARLY', '2024-02-29', '2025-02-28'],
    ['FREQ=MONTHLY;BYMONTHDAY=1', '2026-03-03', '2026-04-01'],
    ['FREQ=MONTHLY;BYMONTHDAY=31', '2026-01-31', '2026-02-28'],
    ['FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO', '2026-03-20', '2026-06-01'],
  ])('%s, done on %s, is next due on %s', (rule, base, next) => {
    expect(dayAfterCompletion(seriesOf(rule, { kind: 'completion' }), base)).toBe(next)
  })
})

describe('the last day', () => {
  const at = (rule: string, kind: 'calendar' | 'completion' | 'times') =>
    seriesOf(rule, { kind, startsOn: '2199-12-31', times: kind === 'times' ? 1 : null })

  it('is 31 December 2199', () => {
    const { dueOn } = nextSlot(at('FREQ=DAILY', 'calendar'), '2199-12-30', new Set()) ?? {}
    expect(dueOn).toBe('2199-12-31')
    for (const kind of ['calendar', 'times'] as const) {
      const series = at('FREQ=DAILY', kind)
      expect(slotsBetween(series, '2199-12-31', '2200-02-01')).toEqual([])
      expect(nextSlot(series, '2199-12-31', new Set())).toBeUndefined()
    }
    const yearly = at('FREQ=YEARLY;INTERVAL=100', 'completion')
    expect(dayAfterCompletion(yearly, '2099-12-31')).toBe('2199-12-31')
    expect(dayAfterCompletion(yearly, '2100-01-01')).toBeUndefined()
  })
})

describe('a rule', () => {
  it.each([
    ['calendar', 'every friday'],
    ['calendar', 'FREQ=HOURLY'],
    ['calendar', 'FREQ=DAILY;COUNT=3'],
    ['calendar', 'FREQ=DAILY;UNTIL=20270101'],
    ['calendar', 'FREQ=DAILY;BYHOUR=9'],
    ['calendar', 'FREQ=DAILY;INTERVAL=1001'],
    ['completion', 'FREQ=YEARLY;INTERVAL=101'],
    ['times', 'FREQ=YEARLY;INTERVAL=2'],
    ['times', 'FREQ=WEEKLY;INTERVAL=53'],
    ['calendar', 'FREQ=WEEKLY;BYDAY=1MO'],
    ['times', 'FREQ=MONTHLY;BYMONTHDAY=1'],
    ['times', 'FREQ=MONTHLY;BYDAY=1MO'],
  ] as const)('is refused for %s: %s', (kind, rule) => {
    expect(() => readRule(kind, rule)).toThrow(RuleRefused)
  })
})
