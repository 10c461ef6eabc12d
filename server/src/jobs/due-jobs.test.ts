import { describe, expect, it } from 'vitest'
import { type UserState, findDueJobs } from './due-jobs.ts'

const user: UserState = {
  timezone: 'Europe/Berlin',
  automatic: false,
  quietFrom: null,
  quietTo: null,
  dailyRunAt: '05:00',
  summaryAt: '07:00',
  staleSince: null,
  changedAt: null,
  nextEndAt: null,
  plannedOn: null,
  summarizedOn: null,
  trimmedOn: null,
  isHistoryFull: false,
}
const at = (time: string) => new Date(time)

describe('the morning summary', () => {
  it('is due once a day, at its local time', () => {
    const before = findDueJobs({ ...user, trimmedOn: '2026-03-02' }, at('2026-03-02T05:59:59Z'))
    expect(before).toMatchObject({ summary: false, next: at('2026-03-02T06:00:00Z') })
    expect(findDueJobs(user, at('2026-03-02T06:00:00Z'))).toMatchObject({ summary: true })
    const done = { ...user, summarizedOn: '2026-03-02', trimmedOn: '2026-03-03' }
    expect(findDueJobs(done, at('2026-03-02T06:00:00Z'))).toMatchObject({ summary: false })
    expect(findDueJobs(done, at('2026-03-03T05:59:59Z'))).toMatchObject({
      summary: false,
      next: at('2026-03-03T06:00:00Z'),
    })
  })

  it('is due at the first existing minute if a clock change skips its time', () => {
    // In Berlin, 02:00 is followed by 03:00 on 29 March 2026.
    const early = { ...user, summaryAt: '02:30', trimmedOn: '2026-03-29' }
    expect(findDueJobs(early, at('2026-03-29T00:59:00Z'))).toMatchObject({
      summary: false,
      next: at('2026-03-29T01:00:00Z'),
    })
    expect(findDueJobs(early, at('2026-03-29T01:00:00Z'))).toMatchObject({ summary: true })
  })

  it('is due once a day in every zone, on every day of a year', { timeout: 120_000 }, () => {
    for (const timezone of distinctZones()) {
      expect({ timezone, wrong: mornings({ ...user, timezone }) }).toEqual({
        timezone,
        wrong: [],
      })
    }
    // Times at which clocks change, and one next to a change.
    for (const timezone of [
      'Europe/Berlin',
      'America/Havana',
      'Australia/Lord_Howe',
      'Asia/Beirut',
    ]) {
      for (const summaryAt of ['00:00', '00:30', '01:45', '02:00', '02:30']) {
        expect(mornings({ ...user, timezone, summaryAt }), `${timezone} ${summaryAt}`).toEqual([])
      }
    }
  })
})

/** One of each kind of zone: zones with the same offsets all year have the same mornings. */
function distinctZones() {
  const zones = Intl.supportedValuesOf('timeZone').map((timezone) => {
    let moment = Temporal.ZonedDateTime.from(`2026-01-01T12:00[${timezone}]`)
    let year = moment.offset
    for (let next = moment.getTimeZoneTransition('next'); next && next.year <= 2027;) {
      year += ` ${next.epochMilliseconds} ${next.offset}`
      moment = next
      next = moment.getTimeZoneTransition('next')
    }
    return [year, timezone] as const
  })
  return new Map(zones).values()
}

/** Simulates a year from one due time to the next, and returns every wrong morning. */
function mornings(start: UserState) {
  const wrong: string[] = []
  const seen = new Set<string>()
  const noon = (day: string) =>
    new Date(Temporal.ZonedDateTime.from(`${day}T12:00[${start.timezone}]`).epochMilliseconds)
  const end = noon('2027-01-01')
  let state = { ...start, summarizedOn: '2026-01-01', trimmedOn: '2028-01-01' }
  for (let now = noon('2026-01-01'); now < end;) {
    const due = findDueJobs(state, now)
    if (!due.summary) {
      now = due.next
      continue
    }
    const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(
      state.timezone,
    )
    const wanted = Temporal.PlainTime.from(start.summaryAt ?? '')
    const aMinuteAgo = local.subtract({ minutes: 1 }).toPlainDateTime()
    const isFirst =
      Temporal.PlainTime.compare(local.toPlainTime(), wanted) >= 0 &&
      (!aMinuteAgo.toPlainDate().equals(local.toPlainDate()) ||
        Temporal.PlainTime.compare(aMinuteAgo.toPlainTime(), wanted) < 0)
    if (!isFirst || seen.has(due.today)) wrong.push(local.toString())
    seen.add(due.today)
    state = { ...state, summarizedOn: due.today }
  }
  return seen.size === 365 ? wrong : [...wrong, `${seen.size} days`]
}

describe('the plan of an automatic user', () => {
  const automatic = {
    ...user,
    automatic: true,
    summaryAt: null,
    plannedOn: '2026-03-02',
    trimmedOn: '2026-03-02',
  }
  const now = at('2026-03-02T10:00:00Z')
  const ago = (ms: number) => new Date(now.getTime() - ms)

  it('is replanned 2 s after the last change', () => {
    expect(findDueJobs({ ...automatic, staleSince: ago(500) }, now)).toMatchObject({
      run: false,
      next: new Date(now.getTime() + 1500),
    })
    expect(findDueJobs({ ...automatic, staleSince: ago(2000) }, now)).toMatchObject({ run: true })
  })

  it('is replanned at most 10 s after the first change', () => {
    const busy = { ...automatic, staleSince: ago(9000), changedAt: ago(100) }
    expect(findDueJobs(busy, now)).toMatchObject({
      run: false,
      next: new Date(now.getTime() + 1000),
    })
    expect(findDueJobs({ ...busy, staleSince: ago(7000) }, now)).toMatchObject({
      run: false,
      next: new Date(now.getTime() + 1900),
    })
    expect(findDueJobs({ ...busy, staleSince: ago(10_000) }, now)).toMatchObject({ run: true })
  })

  it('is rolled forward each day at its hour', () => {
    expect(findDueJobs({ ...automatic, plannedOn: '2026-03-01' }, now)).toMatchObject({ run: true })
    expect(findDueJobs(automatic, now)).toMatchObject({ next: at('2026-03-03T02:00:00Z') })
  })

  it('is rolled forward at its hour even if it was replanned earlier that day', () => {
    const evening = { ...automatic, dailyRunAt: '18:00', plannedOn: '2026-03-01' }
    const changed = findDueJobs({ ...evening, staleSince: ago(2000) }, now)
    expect(changed).toMatchObject({ run: true, rollsTo: undefined })
    expect(findDueJobs(evening, at('2026-03-02T17:00:00Z'))).toMatchObject({
      run: true,
      rollsTo: '2026-03-02',
    })
  })

  it('is rolled forward at the end of quiet hours if its hour is within them', () => {
    const late = {
      ...automatic,
      dailyRunAt: '23:00',
      quietFrom: '22:00',
      quietTo: '07:00',
      plannedOn: '2026-03-01',
      trimmedOn: '2026-03-03',
    }
    const morning = at('2026-03-03T06:00:00Z')
    expect(findDueJobs(late, at('2026-03-02T22:00:00Z'))).toMatchObject({ run: false })
    expect(findDueJobs(late, morning)).toMatchObject({ run: true, rollsTo: '2026-03-02' })
    expect(findDueJobs({ ...late, plannedOn: '2026-03-02' }, morning)).toMatchObject({
      run: false,
      next: at('2026-03-03T22:00:00Z'),
    })
  })

  it('waits for the second end of quiet hours when the clock is set back', () => {
    // In Berlin, 03:00 is followed by 02:00 on 25 October 2026.
    const quiet = {
      ...automatic,
      quietFrom: '01:00',
      quietTo: '02:30',
      plannedOn: '2026-10-25',
      trimmedOn: '2026-10-25',
    }
    const again = at('2026-10-25T01:10:00Z')
    expect(findDueJobs({ ...quiet, staleSince: at('2026-10-25T01:00:00Z') }, again)).toMatchObject({
      run: false,
      next: at('2026-10-25T01:30:00Z'),
    })
  })

  it('waits for the end of quiet hours', () => {
    const quiet = { ...automatic, staleSince: ago(5000), quietFrom: '10:30', quietTo: '12:15' }
    expect(findDueJobs(quiet, now)).toMatchObject({ run: false, next: at('2026-03-02T11:15:00Z') })
    const night = { ...quiet, quietFrom: '11:00', quietTo: '06:00', trimmedOn: '2026-03-03' }
    expect(findDueJobs(night, now)).toMatchObject({ run: false })
    const morning = at('2026-03-03T04:30:00Z')
    expect(findDueJobs(night, morning)).toMatchObject({
      run: false,
      next: at('2026-03-03T05:00:00Z'),
    })
    expect(findDueJobs({ ...quiet, quietFrom: '11:01' }, now)).toMatchObject({ run: true })
  })

  it('is replanned a minute after the end of a block that was missed', () => {
    const planned = { ...automatic, nextEndAt: ago(30_000) }
    expect(findDueJobs(planned, now)).toMatchObject({
      run: false,
      next: new Date(now.getTime() + 30_000),
    })
    expect(findDueJobs({ ...planned, nextEndAt: ago(60_000) }, now)).toMatchObject({
      run: true,
      rollsTo: undefined,
    })
    const quiet = { ...planned, nextEndAt: ago(60_000), quietFrom: '10:30', quietTo: '12:15' }
    expect(findDueJobs(quiet, now)).toMatchObject({ run: false, next: at('2026-03-02T11:15:00Z') })
  })

  it('is not made for users without automatic planning', () => {
    const manual = { ...automatic, automatic: false, staleSince: ago(5000) }
    expect(findDueJobs(manual, now)).toMatchObject({ run: false })
  })
})
