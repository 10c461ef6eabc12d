import IcalJs from 'ical.js'
import { describe, expect, it } from 'vitest'
import { mergeEvent as mergeBytes, writeEvent, type WrittenEvent } from './index.ts'

const product = '-//Daywright//Plan//EN'
const event: WrittenEvent = {
  uid: '0198-1@daywright',
  startAt: '2026-11-17T09:00:00.000Z',
  endAt: '2026-11-17T10:30:00.000Z',
  createdAt: '2026-11-16T08:00:00.000Z',
  updatedAt: '2026-11-16T08:30:00.250Z',
  title: 'Write the report',
  description: 'Due on Friday',
  isPrivate: false,
}
const moved = {
  ...event,
  startAt: '2026-11-18T09:00:00.000Z',
  endAt: '2026-11-18T10:00:00.000Z',
  updatedAt: '2026-11-16T09:00:00.000Z',
}
const file = writeEvent(event, product)
const alarm = 'BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nDESCRIPTION:Soon\r\nEND:VALARM\r\n'
const mergeEvent = (text: string, event: WrittenEvent) =>
  mergeBytes(new TextEncoder().encode(text), event)
const withLines = (lines: string) => file.replace('END:VEVENT', `${lines}END:VEVENT`)

describe('writeEvent', () => {
  it('writes a file without a method', () => {
    expect(file).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:.*\r\nBEGIN:VEVENT\r\n/)
    expect(file).not.toContain('METHOD')
  })
})

describe('mergeEvent', () => {
  it('returns the new event if the file has not changed', () => {
    const lines = (text: string | undefined) => text?.split('\r\n').toSorted()
    expect(lines(mergeEvent(file, moved))).toEqual(lines(writeEvent(moved, product)))
  })

  it('keeps what another program has added', () => {
    const theirs = withLines(`LOCATION:Library\r\nATTENDEE:mailto:grace@example.com\r\n${alarm}`)

    const merged = mergeEvent(theirs, moved) ?? ''

    const read = new IcalJs.Component(IcalJs.parse(merged) as unknown[]).getFirstSubcomponent(
      'vevent',
    )
    expect(read?.getFirstPropertyValue('location')).toBe('Library')
    expect(read?.getFirstPropertyValue('attendee')).toBe('mailto:grace@example.com')
    expect(read?.getAllSubcomponents('valarm')).toHaveLength(1)
    expect(merged).toContain(alarm)
    expect(String(read?.getFirstPropertyValue('dtstart'))).toBe('2026-11-18T09:00:00Z')
    expect(read?.getFirstPropertyValue('description')).toBe('Due on Friday')
  })

  it('replaces a time in a zone, a duration and a folded title', () => {
    const theirs = file
      .replace('DTSTART:20261117T090000Z', 'DTSTART;TZID=Europe/Berlin:20261117T110000')
      .replace(/DTEND:.*/, 'DURATION:PT1H')
      .replace(/SUMMARY:.*/, 'SUMMARY;LANGUAGE=en:Write\r\n  more')

    const merged = mergeEvent(theirs, moved)

    expect(merged).toContain('DTSTART:20261118T090000Z\r\nDTEND:20261118T100000Z\r\n')
    expect(merged).not.toMatch(/TZID|DURATION|more/)
  })

  it('keeps TRANSP and CLASS as another program has set them', () => {
    const theirs = file.replace('TRANSP:OPAQUE', 'TRANSP:TRANSPARENT').replace('PUBLIC', 'PRIVATE')
    const merged = mergeEvent(theirs, moved)
    expect(merged).toContain('TRANSP:TRANSPARENT\r\n')
    expect(merged).toContain('CLASS:PRIVATE\r\n')
    expect(merged?.match(/^(?:TRANSP|CLASS):/gm)).toHaveLength(2)
  })

  it('writes a higher SEQUENCE than the file has', () => {
    const theirs = file.replace(/SEQUENCE:.*/, 'SEQUENCE:2000000000')
    expect(mergeEvent(theirs, moved)).toContain('SEQUENCE:2000000001\r\n')
  })

  it('removes a description that is not shown any more', () => {
    const { description: _, ...short } = moved
    expect(mergeEvent(file, short)).not.toContain('DESCRIPTION')
  })

  it.for([
    ['a series', withLines('RRULE:FREQ=DAILY\r\n')],
    ['two events', file.replace('END:VCALENDAR', 'BEGIN:VEVENT\r\nEND:VEVENT\r\nEND:VCALENDAR')],
    ['a part of a file', file.slice(0, 200)],
    ['no file', '<html>'],
  ] as const)('returns undefined for %s', ([, theirs]) => {
    expect(mergeEvent(theirs, moved)).toBeUndefined()
  })
})
