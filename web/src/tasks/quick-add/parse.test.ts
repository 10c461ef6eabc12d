import { casual } from 'chrono-node'
import { describe, expect, it } from 'vitest'
import { type Known, parseLine } from './parse.ts'

const named = (name: string) => ({ id: name.toLowerCase(), name, color: null })
const known: Known = {
  // A Sunday, 20:00 in Sydney
  now: new Date('2026-11-15T09:00:00Z'),
  zone: 'Australia/Sydney',
  spaces: [named('Work'), named('Studio')],
  projects: [
    { ...named('Season two'), spaceId: 'studio' },
    { ...named('Season'), spaceId: null },
  ],
  labels: [named('legal'), named('Deep work')],
  findDates: (...given) => casual.parse(...given),
}

function read(line: string, more: Partial<Known> = {}, ignored: string[] = []) {
  const { title, tokens } = parseLine(line, { ...known, ...more }, ignored)
  const values = tokens.map(({ kind, value }) => [
    kind,
    value instanceof Date ? value.toISOString() : typeof value === 'object' ? value.name : value,
  ])
  return { title, ...Object.fromEntries(values) }
}

describe('a line as a task', () => {
  it.for([
    [
      'write report tomorrow 2h !high #work @legal',
      {
        title: 'write report',
        due: '2026-11-16T06:00:00.000Z',
        estimate: 120,
        priority: 'high',
        space: 'Work',
        label: 'legal',
      },
    ],
    [
      'Send the contract fri 5pm ~45m',
      { title: 'Send the contract', due: '2026-11-20T06:00:00.000Z', estimate: 45 },
    ],
    ['Call Mei by 9 December', { title: 'Call Mei', due: '2026-12-09T06:00:00.000Z' }],
    ['Call Mei tomorrow at 9:30', { title: 'Call Mei', due: '2026-11-15T22:30:00.000Z' }],
    ['Tidy up !!', { title: 'Tidy up', priority: 'high' }],
    ['Edit #season two @deep work', { title: 'Edit', project: 'Season two', label: 'Deep work' }],
    ['Edit #season-two', { title: 'Edit', project: 'Season two' }],
    ['Edit #stu', { title: 'Edit', space: 'Studio' }],
    ['Edit @new', { title: 'Edit', 'new label': 'new' }],
    ['Fix #404 page', { title: 'Fix #404 page' }],
    ['Read 1h30', { title: 'Read', estimate: 90 }],
    ['Read 1h 30m', { title: 'Read', estimate: 90 }],
    ['Read ~1.5h', { title: 'Read', estimate: 90 }],
    ['Run 5 km', { title: 'Run 5 km' }],
    ['Mail ada@example.com', { title: 'Mail ada@example.com' }],
    ['Plan the March campaign', { title: 'Plan the March campaign' }],
    [
      'Read "tomorrow 2h !high" tonight',
      { title: 'Read tomorrow 2h !high', due: '2026-11-15T11:00:00.000Z' },
    ],
    [
      'Prepare from wed by fri',
      { title: 'Prepare', start: '2026-11-17T13:00:00.000Z', due: '2026-11-20T06:00:00.000Z' },
    ],
    ['fri ~45m 5pm call', { title: 'call', estimate: 45, due: '2026-11-20T06:00:00.000Z' }],
    // Late in the evening the day is not over at 17:00
    ['Water plants today', { title: 'Water plants', due: '2026-11-15T12:59:00.000Z' }],
  ] as const)('%s', ([line, wanted]) => {
    expect(read(line)).toEqual(wanted)
  })

  it('keeps a removed token in the title, and does not parse it as something else', () => {
    expect(read('Watch tomorrow 2h', {}, ['tomorrow'])).toEqual({
      title: 'Watch tomorrow',
      estimate: 120,
    })
  })

  it('parses everything except dates before chrono is loaded', () => {
    expect(read('Write tomorrow 2h', { findDates: undefined })).toEqual({
      title: 'Write tomorrow',
      estimate: 120,
    })
  })
})

describe('dates in zones', () => {
  it.for([
    // 17:00 local time, before and after a daylight saving change
    ['Europe/Berlin', '2026-03-28T10:00:00Z', 'x tomorrow', '2026-03-29T15:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T10:00:00Z', 'x tomorrow', '2026-10-25T16:00:00.000Z'],
    // 2:30 is skipped: an hour later; occurs twice: the first
    ['Europe/Berlin', '2026-03-28T10:00:00Z', 'x tomorrow 2:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-10-24T10:00:00Z', 'x tomorrow 2:30', '2026-10-25T00:30:00.000Z'],
    // Three elapsed hours, also across the change
    ['Europe/Berlin', '2026-03-29T00:30:00Z', 'x in 3 hours', '2026-03-29T03:30:00.000Z'],
    // Tomorrow is the user's tomorrow, not the server's or the browser's
    ['Pacific/Auckland', '2026-11-15T12:00:00Z', 'x tomorrow', '2026-11-17T04:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-15T05:00:00Z', 'x tomorrow', '2026-11-16T01:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-15T05:00:00Z', 'x mon 9am', '2026-11-16T03:30:00.000Z'],
  ])('%s at %s: %s', ([zone = '', now = '', line = '', due]) => {
    expect(read(line, { zone, now: new Date(now) })).toEqual({ title: 'x', due })
  })
})
