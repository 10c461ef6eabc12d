// Reads the files of `corpus/` and compares the results with `expected.json`.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CalendarRefused, readCalendar, type Occurrence } from '../src/index.ts'

type Case = {
  file: string
  about: string
  from: string
  to: string
  zone: string
  addresses?: string[]
  refused?: boolean
  skipped?: string[]
  withinMs?: number
  occurrences: {
    uid: string | null
    start: string
    end: string
    blocks: boolean
    allDay?: boolean
    tentative?: boolean
    summary?: string
  }[]
  busy: { start: string; end: string }[]
}

const folder = new URL('corpus/', import.meta.url)
const cases = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Case[]

const read = ({ file, ...options }: Case) =>
  readCalendar(readFileSync(new URL(file, folder)), options)

describe('the corpus', () => {
  it('has an expected result for every file', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.ics'))
    expect(cases.map(({ file }) => file)).toEqual(files.toSorted())
  })

  it.each(cases.filter(({ refused }) => !refused))('$file: $about', (given) => {
    const before = process.threadCpuUsage()
    const { occurrences, skipped } = read(given)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(given.withinMs ?? 1000)
    expect(occurrences.map(toExpected).toSorted(byTime)).toEqual(
      given.occurrences.map(withDefaults).toSorted(byTime),
    )
    expect(busyTimesOf(occurrences)).toEqual(given.busy)
    const events = skipped.filter(({ reason }) => reason !== 'rule-not-understood')
    expect(events.map(({ uid }) => uid)).toEqual(given.skipped ?? [])
    const titled = given.occurrences.filter(({ summary }) => summary !== undefined)
    for (const { uid, summary } of titled) {
      expect(occurrences.find((each) => each.uid === uid)?.title).toBe(summary)
    }
    expect(new Set(occurrences.map(({ key }) => key)).size).toBe(occurrences.length)
  })

  it.each(cases.filter(({ refused }) => refused))('$file: $about', (given) => {
    expect(() => read(given)).toThrow(CalendarRefused)
  })
})

const byTime = (a: Case['occurrences'][number], b: Case['occurrences'][number]) =>
  `${a.start} ${a.end} ${a.uid}` < `${b.start} ${b.end} ${b.uid}` ? -1 : 1

const toExpected = ({ uid, startAt, endAt, isBusy, isAllDay, isTentative }: Occurrence) => ({
  uid,
  start: startAt,
  end: endAt,
  blocks: isBusy,
  allDay: isAllDay,
  tentative: isTentative,
})

const withDefaults = (occurrence: Case['occurrences'][number]) => ({
  uid: occurrence.uid,
  start: occurrence.start,
  end: occurrence.end,
  blocks: occurrence.blocks,
  allDay: occurrence.allDay ?? false,
  tentative: occurrence.tentative ?? false,
})

/** The union of the times of all busy occurrences. */
function busyTimesOf(occurrences: Occurrence[]) {
  const busy: Case['busy'] = []
  for (const { startAt, endAt } of occurrences.filter(({ isBusy }) => isBusy)) {
    const last = busy.at(-1)
    if (!last || startAt > last.end) busy.push({ start: startAt, end: endAt })
    else if (endAt > last.end) last.end = endAt
  }
  return busy
}
