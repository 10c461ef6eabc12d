import IcalJs from 'ical.js'
import nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
import { describe, expect, it } from 'vitest'
import { readCalendar } from './read-calendar.ts'
import { writeCalendar, type WrittenEvent } from './write-calendar.ts'

const event = (changes: Partial<WrittenEvent> = {}): WrittenEvent => ({
  uid: '0198-1@daywright',
  startAt: '2026-11-17T09:00:00.000Z',
  endAt: '2026-11-17T10:30:00.000Z',
  createdAt: '2026-11-16T08:00:00.000Z',
  updatedAt: '2026-11-16T08:30:00.250Z',
  title: 'Write the report',
  isPrivate: false,
  ...changes,
})

const write = (events: WrittenEvent[], name = 'My plan') =>
  writeCalendar({ name, product: '-//Daywright//Plan//EN', refreshMinutes: 15, events })

const octetsOf = (text: string) => new TextEncoder().encode(text).length

describe('a file', () => {
  it('has the properties that calendar programs need', () => {
    const file = write([
      event({
        description: 'Due on Friday',
        url: 'https://example.com/a?b=c,d;e',
        isPrivate: true,
      }),
    ])

    expect(file.split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Daywright//Plan//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'NAME:My plan',
      'X-WR-CALNAME:My plan',
      'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
      'X-PUBLISHED-TTL:PT15M',
      'BEGIN:VEVENT',
      'UID:0198-1@daywright',
      'DTSTAMP:20261116T083000Z',
      'CREATED:20261116T080000Z',
      'LAST-MODIFIED:20261116T083000Z',
      'SEQUENCE:216981000',
      'DTSTART:20261117T090000Z',
      'DTEND:20261117T103000Z',
      'SUMMARY:Write the report',
      'DESCRIPTION:Due on Friday',
      'URL:https://example.com/a?b=c,d;e',
      'STATUS:CONFIRMED',
      'TRANSP:OPAQUE',
      'CLASS:PRIVATE',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ])
  })

  it('has no line over 75 octets, and cuts no character', () => {
    for (let shift = 0; shift < 8; shift += 1) {
      const title = `${'x'.repeat(shift)}${'é€😀'.repeat(60)}`
      const file = write([event({ title })])

      for (const line of file.split('\r\n')) expect(octetsOf(line)).toBeLessThanOrEqual(75)
      // No character was replaced.
      expect(file).not.toContain('\uFFFD')
      expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:${title}\r\n`)
    }
  })

  it('uses the whole line before it folds', () => {
    const file = write([event({ title: 'x'.repeat(67 + 74 + 1) })])

    expect(file).toContain(
      `SUMMARY:${'x'.repeat(67)}\r\n ${'x'.repeat(74)}\r\n x\r\nSTATUS:CONFIRMED`,
    )
  })

  it('escapes characters with a special meaning, and drops control characters', () => {
    const file = write([event({ title: 'a\\b;c,d:"e"\r\nf\rg\nh\0i\x07j\x7fk\tl\uD800m' })])

    expect(file).toContain('SUMMARY:a\\\\b\\;c\\,d:"e"\\nf\\ng\\nhijk\tl\uFFFDm\r\n')
  })

  it('has a sequence that grows with each change and fits into 31 bits', () => {
    const sequenceAt = (updatedAt: string) =>
      Number(/^SEQUENCE:(\d+)\r$/m.exec(write([event({ updatedAt })]))?.[1])

    expect(sequenceAt('2019-01-01T00:00:00Z')).toBe(0)
    expect(sequenceAt('2026-11-16T08:30:01Z')).toBe(sequenceAt('2026-11-16T08:30:00Z') + 1)
    expect(sequenceAt('2087-12-31T00:00:00Z')).toBeLessThan(2 ** 31)
  })
})

describe('a written file', () => {
  const hostile = 'Ünïcödé 😀 C:\\Temp; a, b: "quoted"\nsecond line '.repeat(3).trim()
  const events = [
    event(),
    event({ uid: '0198-2@daywright', title: hostile, description: hostile, isPrivate: true }),
    event({
      uid: '0198-3@daywright',
      title: 'When the clocks change',
      startAt: '2026-10-25T00:30:00.000Z',
      endAt: '2026-10-25T02:30:00.000Z',
    }),
    event({ uid: '0198-4@daywright', title: '長い題名'.repeat(100), url: 'https://example.com/4' }),
  ]
  const name = 'Ada’s plan'
  const file = write(events, name)
  const written = events.map(({ uid, title, startAt, endAt }) => ({ uid, title, startAt, endAt }))

  it('is read back by our own reader', () => {
    const reading = readCalendar(new TextEncoder().encode(file), {
      from: '2026-10-01T00:00:00Z',
      to: '2026-12-01T00:00:00Z',
      zone: 'Europe/Berlin',
    })

    expect(reading).toMatchObject({ name, skippedCount: 0 })
    const found = reading.occurrences.map(({ uid, title, startAt, endAt }) => ({
      uid,
      title,
      startAt,
      endAt,
    }))
    expect(found).toHaveLength(4)
    expect(found).toEqual(expect.arrayContaining(written))
    for (const { isBusy, isTentative, isAllDay } of reading.occurrences) {
      expect({ isBusy, isTentative, isAllDay }).toEqual({
        isBusy: true,
        isTentative: false,
        isAllDay: false,
      })
    }
  })

  it('is read back by ical.js', () => {
    const calendar = new IcalJs.Component(IcalJs.parse(file) as unknown[])
    const found = calendar
      .getAllSubcomponents('vevent')
      .map((each) => ({ each, read: new IcalJs.Event(each) }))

    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe(name)
    expect(
      found.map(({ read }) => ({
        uid: read.uid,
        title: read.summary,
        startAt: read.startDate.toJSDate().toISOString(),
        endAt: read.endDate.toJSDate().toISOString(),
      })),
    ).toEqual(written)
    expect(found[1]?.read.description).toBe(hostile)
    expect(found.map(({ each }) => each.getAllSubcomponents())).toEqual([[], [], [], []])
    expect(found[3]?.each.getFirstPropertyValue('url')).toBe('https://example.com/4')
  })

  it('is read back by node-ical', () => {
    const found = Object.values(nodeIcal.sync.parseICS(file)).filter(
      (each) => each?.type === 'VEVENT',
    )

    expect(
      found.map((each) => ({
        uid: each.uid,
        title: each.summary,
        startAt: each.start.toISOString(),
        endAt: each.end?.toISOString(),
      })),
    ).toEqual(written)
    expect(found[1]?.description).toBe(hostile)
  })

  it('may contain a title that looks like the end of an event', () => {
    const title = 'END:VEVENT\nEND:VCALENDAR'
    const file = write([event({ title }), event({ uid: '0198-5@daywright' })])

    const byIcalJs = new IcalJs.Component(IcalJs.parse(file) as unknown[])
      .getAllSubcomponents('vevent')
      .map((each) => each.getFirstPropertyValue('summary'))
    expect(byIcalJs).toEqual([title, 'Write the report'])
    const byNodeIcal = Object.values(nodeIcal.sync.parseICS(file)).flatMap((each) =>
      each?.type === 'VEVENT' ? each.summary : [],
    )
    expect(byNodeIcal).toEqual([title, 'Write the report'])
  })

  it('is read back by ts-ics', () => {
    const calendar = convertIcsCalendar(undefined, file)

    expect(calendar.name).toBe(name)
    expect(calendar.nonStandard).toBeUndefined()
    expect(
      calendar.events?.map((each) => ({
        uid: each.uid,
        title: each.summary,
        startAt: each.start.date.toISOString(),
        endAt: each.end?.date.toISOString(),
      })),
    ).toEqual(written)
    expect(calendar.events?.[1]).toMatchObject({ description: hostile, class: 'PRIVATE' })
  })
})
