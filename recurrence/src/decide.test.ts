import { describe, expect, it } from 'vitest'
import { coming } from './coming.ts'
import { decide, type Progress, settledBy, type Stored } from './decide.ts'
import type { Series } from './series.ts'

const daily: Series = {
  kind: 'calendar',
  rule: 'FREQ=DAILY',
  times: null,
  startsOn: '2026-03-02',
  endsOn: null,
  most: null,
  startTime: '00:00',
  dueTime: null,
  leadDays: 0,
  missed: 'lapse',
}
const fresh: Progress = { stored: [], settledTo: '2026-03-01', count: 0, isPaused: false }
const at = (text: string) => new Date(`${text}Z`)
const stored = (day: string, status: 'open' | 'completed', due = `${day}T23:59`): Stored => ({
  day,
  nth: 1,
  state: 'made',
  task: { status, dueAt: at(due), endedAt: at(`${day}T12:00`) },
})
const decideFor = (
  series: Partial<Series>,
  progress: Partial<Progress>,
  now: string,
  zone = 'UTC',
) => decide({ ...daily, ...series }, { ...fresh, ...progress }, at(now), zone)
const days = (keys: { day: string }[]) => keys.map(({ day }) => day)

describe('occurrences', () => {
  it('are made for today and 15 days ahead, and looked at again when the first is due', () => {
    const { make, nextAt } = decideFor({}, {}, '2026-03-02T08:00')
    expect(make).toHaveLength(16)
    expect(make[0]).toEqual({
      day: '2026-03-02',
      nth: 1,
      startAfter: at('2026-03-02T00:00'),
      dueAt: at('2026-03-02T23:59'),
    })
    expect(nextAt).toEqual(at('2026-03-02T23:59'))
  })

  it('include the next one, however far away it is', () => {
    const yearly = { rule: 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24' }
    expect(days(decideFor(yearly, {}, '2026-03-02T08:00').make)).toEqual(['2026-12-24'])
    const done = { stored: [stored('2026-12-24', 'completed')], count: 1 }
    expect(days(decideFor(yearly, done, '2026-03-03T08:00').make)).toEqual(['2027-12-24'])
  })

  it('are not made again if they are stored', () => {
    const first = decideFor({}, {}, '2026-03-02T08:00').make
    const progress = { stored: first.map(({ day }) => stored(day, 'open')), count: first.length }
    expect(decideFor({}, progress, '2026-03-02T09:00').make).toEqual([])
    expect(days(decideFor({}, progress, '2026-03-03T00:00').make)).toEqual(['2026-03-18'])
  })

  it('begin today after a month without a worker, and the 30 missed ones lapse', () => {
    const { make, lapseUnmade } = decideFor({}, {}, '2026-04-01T08:00')
    expect(make).toHaveLength(16)
    expect(days(make)[0]).toBe('2026-04-01')
    expect(lapseUnmade).toHaveLength(30)
  })

  it('end with the last day or the maximum number of the series', () => {
    expect(decideFor({ endsOn: '2026-03-04' }, {}, '2026-03-02T08:00').make).toHaveLength(3)
    expect(decideFor({ most: 2 }, {}, '2026-03-02T08:00').make).toHaveLength(2)
    expect(decideFor({ most: 2 }, { count: 2 }, '2026-03-02T08:00').make).toEqual([])
  })

  it('are not made during a pause', () => {
    const { make, lapse } = decideFor({}, { isPaused: true }, '2026-04-02T08:00')
    expect([...make, ...lapse]).toEqual([])
  })

  it('keep their local times across a clock change', () => {
    const given = { startTime: '02:30', dueTime: '09:00', startsOn: '2026-03-28' }
    const { make } = decideFor(
      given,
      { settledTo: '2026-03-27' },
      '2026-03-28T00:00',
      'Europe/Berlin',
    )
    expect(make.slice(0, 3).map(({ startAfter, dueAt }) => [startAfter, dueAt])).toEqual([
      [at('2026-03-28T01:30'), at('2026-03-28T08:00')],
      // 02:30 does not exist on that day.
      [at('2026-03-29T00:30'), at('2026-03-29T07:00')],
      [at('2026-03-30T00:30'), at('2026-03-30T07:00')],
    ])
  })

  it('skip a day that the zone leaves out', () => {
    const samoa = { startsOn: '2011-12-28' }
    const { make } = decideFor(
      samoa,
      { settledTo: '2011-12-27' },
      '2011-12-28T12:00',
      'Pacific/Apia',
    )
    expect(days(make).slice(0, 4)).toEqual(['2011-12-28', '2011-12-29', '2011-12-31', '2012-01-01'])
  })
})

describe('missed', () => {
  const three = ['2026-03-02', '2026-03-03', '2026-03-04'].map((day) => stored(day, 'open'))
  const progress = { stored: three, count: 3, settledTo: '2026-03-03' }
  const now = '2026-03-04T10:00'

  it('lapse: cancels overdue occurrences, unless they were started or moved', () => {
    expect(days(decideFor({}, progress, now).lapse)).toEqual(['2026-03-02', '2026-03-03'])
    const started = structuredClone(progress)
    started.stored[0]!.task!.status = 'in progress'
    started.stored[1]!.task!.dueAt = at('2026-03-09T12:00')
    expect(decideFor({}, started, now).lapse).toEqual([])
  })

  it('wait: keeps the first one, cancels the others, and makes none until it is done', () => {
    const { lapse, make } = decideFor({ missed: 'wait' }, progress, now)
    expect(days(lapse)).toEqual(['2026-03-03'])
    expect(make).toEqual([])
    const done = [stored('2026-03-02', 'completed'), ...three.slice(2)]
    expect(decideFor({ missed: 'wait' }, { ...progress, stored: done }, now).make).toHaveLength(15)
  })

  it('pile: keeps all, and makes those of the last month that were not made', () => {
    expect(decideFor({ missed: 'pile' }, progress, now).lapse).toEqual([])
    const { make, lapseUnmade } = decideFor({ missed: 'pile' }, {}, '2026-04-12T08:00')
    expect(make).toHaveLength(16 + 31)
    expect(lapseUnmade).toHaveLength(10)
  })

  it('pile: with a hundred open ones, makes no more and lets missed ones lapse', () => {
    const heap = Array.from({ length: 100 }, (_, i) => {
      const at = new Date(Date.UTC(2025, 10, 1 + i)).toISOString().slice(0, 10)
      return stored(at, 'open')
    })
    const full = { stored: heap, count: 100, settledTo: '2026-02-28' }
    const { make, lapseUnmade } = decideFor(
      { missed: 'pile', startsOn: '2025-11-01' },
      full,
      '2026-03-03T08:00',
    )
    expect(make).toEqual([])
    expect(days(lapseUnmade)).toEqual(['2026-03-01', '2026-03-02'])
  })

  it('pile: makes the next one in addition to a missed one', () => {
    const rare = { missed: 'pile', rule: 'FREQ=YEARLY' } as const
    expect(days(decideFor(rare, {}, '2026-03-12T08:00').make)).toEqual(['2026-03-02', '2027-03-02'])
  })

  it('does not lapse a reopened occurrence again', () => {
    const again = { ...progress, stored: [{ ...three[0]!, state: 'lapsed' as const }] }
    expect(decideFor({}, again, now).lapse).toEqual([])
  })
})

describe('after completion', () => {
  const series = { kind: 'completion', rule: 'FREQ=DAILY;INTERVAL=3', missed: 'wait' } as const

  it('makes one occurrence at a time', () => {
    expect(days(decideFor(series, {}, '2026-03-02T08:00').make)).toEqual(['2026-03-02'])
    const open = { stored: [stored('2026-03-02', 'open')], count: 1 }
    expect(decideFor(series, open, '2026-03-09T08:00').make).toEqual([])
  })

  it('counts the next one from the day on which the last one ended, early or late', () => {
    const done = (day: string, on: string): Stored => ({
      ...stored(day, 'completed'),
      task: { status: 'completed', dueAt: at(`${day}T23:59`), endedAt: at(`${on}T10:00`) },
    })
    const after = (last: Stored, now: string) =>
      decideFor(series, { stored: [last], count: 1 }, now).make.map(
        ({ day, nth }) => `${day}/${nth}`,
      )
    expect(after(done('2026-03-02', '2026-03-05'), '2026-03-05T11:00')).toEqual(['2026-03-08/1'])
    // Done three days early: the next has the same day, and another number.
    expect(after(done('2026-03-08', '2026-03-05'), '2026-03-05T11:00')).toEqual(['2026-03-08/2'])
    // Noticed a week later: the next one is for today.
    expect(after(done('2026-03-02', '2026-03-02'), '2026-03-12T11:00')).toEqual(['2026-03-12/1'])
  })
})

describe('after completion, an occurrence that was moved and lapsed', () => {
  it('is followed by the next one, counted from the day on which it was due', () => {
    const monthly = { kind: 'completion', rule: 'FREQ=DAILY;INTERVAL=30' } as const
    const moved = { stored: [stored('2026-05-21', 'open', '2026-04-19T15:00')], count: 1 }
    const ends = { ...monthly, endsOn: '2026-05-25' }
    expect(days(decideFor(ends, moved, '2026-04-22T08:00').make)).toEqual(['2026-05-19'])
  })
})

describe('a new series', () => {
  it('has missed nothing', () => {
    const morning = { ...daily, startsOn: '2026-01-01', dueTime: '09:00' }
    const settledTo = settledBy(morning, at('2026-03-02T10:00'), 'UTC')
    const { make, lapseUnmade } = decideFor(morning, { settledTo }, '2026-03-02T10:00')
    expect(lapseUnmade).toEqual([])
    expect(days(make)[0]).toBe('2026-03-03')
  })
})

describe('the coming occurrences', () => {
  const list = (series: Partial<Series>, from = '2026-03-02', limit = 3) =>
    days(coming({ ...daily, ...series }, fresh, { from, limit }, at('2026-03-02T08:00'), 'UTC'))

  it('are found for every kind of series', () => {
    expect(list({})).toEqual(['2026-03-02', '2026-03-03', '2026-03-04'])
    expect(list({ rule: 'FREQ=YEARLY' })).toEqual(['2026-03-02', '2027-03-02', '2028-03-02'])
    expect(list({ kind: 'completion', rule: 'FREQ=DAILY;INTERVAL=3' })).toEqual([
      '2026-03-02',
      '2026-03-05',
      '2026-03-08',
    ])
    expect(list({ kind: 'times', times: 2, rule: 'FREQ=MONTHLY' })).toEqual([
      '2026-03-01',
      '2026-03-01',
      '2026-04-01',
    ])
    expect(list({}, '2026-06-01', 1)).toEqual(['2026-06-01'])
    expect(list({ most: 2 })).toHaveLength(2)
  })
})
