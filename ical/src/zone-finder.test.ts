import { describe, expect, it } from 'vitest'
import { parseCalendars } from './components.ts'
import { formatWall, parseWall } from './days.ts'
import { defaultLimits } from './limits.ts'
import { makeZoneFinder } from './zone-finder.ts'
import { makeZone } from './zone.ts'

const finderOf = (...lines: string[]) => {
  const text = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\n')
  const [calendar] = parseCalendars(new TextEncoder().encode(text), defaultLimits, {
    left: defaultLimits.steps,
  })
  return makeZoneFinder(calendar!, makeZone('Europe/Berlin'), { left: 10_000 })
}

const observance = (kind: string, start: string, from: string, to: string, ...more: string[]) => [
  `BEGIN:${kind}`,
  `DTSTART:${start}`,
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  ...more,
  `END:${kind}`,
]

const own = (...lines: string[]) =>
  finderOf('BEGIN:VTIMEZONE', 'TZID:Own', ...lines, 'END:VTIMEZONE').find('Own')

const utcOf = (zone: ReturnType<typeof own>, wall: string) =>
  formatWall(zone.toInstant(parseWall(wall)!), false)

describe('the name of a zone', () => {
  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['US/Eastern', 'US/Eastern'],
    ['AUS Eastern Standard Time', 'Australia/Sydney'],
    ['/mozilla.org/20050126_1/America/Argentina/Salta', 'America/Argentina/Salta'],
    ['tzone://Microsoft/Utc', 'UTC'],
    ['+05:00', 'Europe/Berlin'],
    ['Nowhere/Atlantis', 'Europe/Berlin'],
  ])('%s is found as %s', (name, zone) => {
    expect(finderOf().find(name).name).toBe(zone)
  })

  it('falls back to the zone of the calendar', () => {
    const zones = finderOf('X-WR-TIMEZONE:Asia/Tokyo')
    expect(zones.find('Nowhere/Atlantis').name).toBe('Asia/Tokyo')
    expect(zones.floating.name).toBe('Asia/Tokyo')
  })

  it('may be resolved by its X-LIC-LOCATION', () => {
    expect(own('X-LIC-LOCATION:Europe/London').name).toBe('Europe/London')
  })
})

describe.each([
  ['of the database', () => makeZone('Europe/Berlin')],
  [
    'of its file',
    () =>
      own(
        ...observance(
          'STANDARD',
          '16010101T030000',
          '+0200',
          '+0100',
          'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
        ),
        ...observance(
          'DAYLIGHT',
          '16010101T020000',
          '+0100',
          '+0200',
          'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
        ),
      ),
  ],
])('a zone %s', (_, make) => {
  it.each([
    ['20260115T120000', '20260115T110000'],
    ['20260715T120000', '20260715T100000'],
    ['20260329T015959', '20260329T005959'],
    ['20260329T023000', '20260329T013000'],
    ['20260329T030000', '20260329T010000'],
    ['20261025T023000', '20261025T003000'],
    ['20261025T030000', '20261025T020000'],
    ['20261231T235959', '20261231T225959'],
  ])('turns %s into %s', (wall, utc) => {
    expect(utcOf(make(), wall)).toBe(utc)
  })

  it('turns instants into wall times', () => {
    const zone = make()
    const instant = parseWall('20261025T010000Z')!
    expect(formatWall(zone.toWall(instant - 1), false)).toBe('20261025T025959')
    expect(formatWall(zone.toWall(instant), false)).toBe('20261025T020000')
  })
})

describe('a zone that its file describes', () => {
  it('keeps the offset of the last change when its rules have ended', () => {
    const zone = own(
      ...observance(
        'STANDARD',
        '19901028T030000',
        '+0300',
        '+0200',
        'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;UNTIL=20151025T000000Z',
      ),
      ...observance(
        'DAYLIGHT',
        '19910331T020000',
        '+0200',
        '+0300',
        'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3;UNTIL=20160327T000000Z',
      ),
    )
    expect(utcOf(zone, '20150115T120000')).toBe('20150115T100000')
    expect(utcOf(zone, '20261115T120000')).toBe('20261115T090000')
  })

  it('may list its changes as dates', () => {
    const zone = own(
      ...observance('STANDARD', '20000101T000000', '+0000', '+0000', 'RDATE:20260901T000000'),
      ...observance('DAYLIGHT', '20260601T000000', '+0000', '+0100'),
    )
    expect(utcOf(zone, '20260715T120000')).toBe('20260715T110000')
    expect(utcOf(zone, '20261115T120000')).toBe('20261115T120000')
  })

  it('ignores a rule that changes the clock all the time', () => {
    const zone = own(
      ...observance('STANDARD', '20000101T000000', '+0000', '-0500', 'RRULE:FREQ=SECONDLY'),
    )
    expect(utcOf(zone, '20261115T120000')).toBe('20261115T170000')
  })
})
