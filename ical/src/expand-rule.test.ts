import { describe, expect, it } from 'vitest'
import { formatWall, parseWall } from './days.ts'
import { expandRule, type Expansion } from './expand-rule.ts'
import { LimitExceeded } from './limits.ts'
import { parseRule, RuleNotUnderstood } from './rule.ts'

const expand = (rule: string, start: string, options: Partial<Expansion> = {}) =>
  expandRule(parseRule(rule), {
    start: parseWall(start)!,
    startIsFirst: true,
    from: parseWall('20261101')!,
    to: parseWall('20261231')!,
    limit: 5000,
    steps: { left: 200_000 },
    ...options,
  }).map((wall) => formatWall(wall, false))

describe('a rule', () => {
  it.each([
    'FREQ=SOMETIMES',
    'COUNT=3',
    'FREQ=DAILY;COUNT=x',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;INTERVAL=1e3',
    'FREQ=DAILY;UNTIL=tomorrow',
    'FREQ=MONTHLY;BYDAY=1XX',
    'FREQ=MONTHLY;BYDAY=',
    'FREQ=MONTHLY;BYMONTHDAY=0',
    'FREQ=MONTHLY;BYMONTHDAY=32',
    'FREQ=DAILY;BYHOUR=24',
    'FREQ=DAILY;BYMOON=FULL',
  ])('is refused if a part makes no sense: %s', (text) => {
    expect(() => parseRule(text)).toThrow(RuleNotUnderstood)
  })

  it('may have lower case, spaces, an empty part and non-standard parts', () => {
    expect(expand('freq=daily; count=2 ;X-NOTE=A;', '20261116T090000')).toEqual([
      '20261116T090000',
      '20261117T090000',
    ])
  })
})

describe('an expansion', () => {
  it('includes the start even if the rule does not match it, and counts it', () => {
    const rule = 'FREQ=WEEKLY;BYDAY=WE;COUNT=3'
    expect(expand(rule, '20261117T090000')).toEqual([
      '20261117T090000',
      '20261118T090000',
      '20261125T090000',
    ])
    expect(expand(rule, '20261117T090000', { startIsFirst: false })[0]).toBe('20261118T090000')
  })

  it('begins at the window, not at the start of the series', () => {
    const steps = { left: 2000 }
    expect(expand('FREQ=WEEKLY;BYDAY=TU', '16010102T100000', { steps })).toHaveLength(9)
    expect(expand('FREQ=MINUTELY;INTERVAL=1440', '19000101T100000', { steps })).toHaveLength(60)
    expect(expand('FREQ=YEARLY', '00011116T100000', { steps })).toEqual(['20261116T100000'])
    expect(steps.left).toBeGreaterThan(1000)
  })

  it('skips days and hours without occurrences', () => {
    const steps = { left: 4000 }
    const rule = 'FREQ=SECONDLY;BYDAY=MO;BYHOUR=9;BYMINUTE=30;BYSECOND=15'
    expect(expand(rule, '20260101T000000', { steps })).toHaveLength(9)
  })

  it('combines plain and numbered weekdays', () => {
    const rule = 'FREQ=MONTHLY;BYDAY=MO,-1FR'
    expect(expand(rule, '20261102T090000', { to: parseWall('20261130T235959')! })).toEqual(
      ['02', '09', '16', '23', '27', '30'].map((day) => `202611${day}T090000`),
    )
  })

  it('stops when its limits are exceeded', () => {
    expect(() => expand('FREQ=SECONDLY', '20261101T000000')).toThrow(LimitExceeded)
    const never = 'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2;COUNT=5'
    expect(() => expand(never, '19000101', { steps: { left: 100 } })).toThrow(LimitExceeded)
    expect(expand('FREQ=YEARLY;INTERVAL=999999999999', '20261116T090000')).toHaveLength(1)
  })
})
