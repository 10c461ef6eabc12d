import { describe, expect, it } from 'vitest'
import { names, now, phrases, zone } from '../test/phrases.ts'
import { render } from '../test/render.ts'
import { completionAt, parseQuickAdd, readMinutes, type Context } from './index.ts'

const context: Context = { now, zone, locale: 'en-US', names }
const parse = (line: string, more: Partial<Context> = {}) =>
  parseQuickAdd(line, { ...context, ...more })

describe('the table of phrases', () => {
  it.for(phrases)('%s', ([line, wanted, locale = 'en-US']) => {
    expect(render(parse(line, { locale }), zone)).toBe(wanted)
  })

  it('has at least 250 phrases, each once', () => {
    const keys = phrases.map(([line, , locale]) => `${line} ${locale}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.length).toBeGreaterThanOrEqual(250)
  })

  it('gives each span its text and position, in order and without overlap', () => {
    for (const [line, , locale = 'en-US'] of phrases) {
      let end = 0
      for (const span of parse(line, { locale }).spans) {
        expect(line.slice(span.start, span.end)).toBe(span.text)
        expect(span.text).toBe(span.text.trim())
        expect(span.start).toBeGreaterThanOrEqual(end)
        end = span.end
      }
    }
  })
})

describe('spans', () => {
  const kinds = (line: string, more?: Partial<Context>) =>
    parse(line, more).spans.map(({ kind, text }) => [kind, text])

  it('include the words that lead to them', () => {
    expect(kinds('Call Mei by fri 5pm for 20 min #home !high')).toEqual([
      ['due', 'by fri 5pm'],
      ['estimate', 'for 20 min'],
      ['space', '#home'],
      ['priority', '!high'],
    ])
  })

  it('are separate for a day and a time that stand apart', () => {
    expect(kinds('friday call Mei at 5pm')).toEqual([
      ['due', 'friday'],
      ['due', 'at 5pm'],
    ])
  })

  it('cover both ends of a range of days', () => {
    expect(kinds('Paint 27-29 Nov 2h')).toEqual([
      ['period', '27-29 Nov'],
      ['estimate', '2h'],
    ])
  })

  it('returned to the title are not parsed as something else', () => {
    const parsed = parse('Watch tomorrow 2h', { ignored: ['tomorrow'] })
    expect(render(parsed, zone)).toBe('Watch tomorrow | 120 min')
  })

  it('stay in the title unchanged if the caller keeps their kind there', () => {
    const parsed = parse('gym mon wed fri 7am 1h', { keepInTitle: ['repeat'] })
    expect(render(parsed, zone)).toBe('gym mon wed fri 7am | 60 min')
  })
})

describe('an event', () => {
  it('also sets a start, a due date and an estimate, for callers without events', () => {
    expect(parse('Workshop tomorrow 9am-11am')).toMatchObject({
      startAfter: new Date('2026-11-17T08:00:00Z'),
      dueAt: new Date('2026-11-17T10:00:00Z'),
      estimateMinutes: 120,
    })
  })
})

describe('dates in zones', () => {
  it.for([
    // 17:00 local time, before and after a daylight saving change
    ['Europe/Berlin', '2026-03-28T10:00:00Z', 'x tomorrow', '2026-03-29T15:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T10:00:00Z', 'x tomorrow', '2026-10-25T16:00:00.000Z'],
    // 2:30 is skipped in spring and becomes 3:30; it occurs twice in autumn, and the first one counts
    ['Europe/Berlin', '2026-03-28T10:00:00Z', 'x tomorrow 2:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-10-24T10:00:00Z', 'x tomorrow 2:30', '2026-10-25T00:30:00.000Z'],
    // Three elapsed hours, also across the change
    ['Europe/Berlin', '2026-03-29T00:30:00Z', 'x in 3 hours', '2026-03-29T03:30:00.000Z'],
    // Tomorrow is the user's tomorrow, not the server's or the browser's
    ['Pacific/Auckland', '2026-11-15T12:00:00Z', 'x tomorrow', '2026-11-17T04:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-15T05:00:00Z', 'x tomorrow', '2026-11-16T01:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-15T05:00:00Z', 'x mon 9am', '2026-11-16T03:30:00.000Z'],
    // After 17:00, "today" is due at the end of the day, and the weekday of today means next week
    ['Australia/Sydney', '2026-11-15T09:00:00Z', 'x today', '2026-11-15T12:59:00.000Z'],
    ['Australia/Sydney', '2026-11-15T09:00:00Z', 'x sunday', '2026-11-22T06:00:00.000Z'],
    ['Europe/Berlin', '2026-12-31T20:00:00Z', 'x eom', '2026-12-31T22:59:00.000Z'],
    ['Europe/Berlin', '2026-11-21T10:00:00Z', 'x this week', '2026-11-22T16:00:00.000Z'],
  ] as const)('%s at %s: %s', ([own, at, line, due]) => {
    const parsed = parse(line, { zone: own, now: new Date(at) })
    expect([parsed.title, parsed.dueAt?.toISOString()]).toEqual(['x', due])
  })
})

describe('any text', () => {
  it('is parsed without an error', () => {
    const words = phrases.flatMap(([line]) => line.split(' '))
    const lines = Array.from({ length: 500 }, (_, i) =>
      Array.from({ length: 8 }, (__, j) => words[(i * 7919 + j * 104_729) % words.length]).join(
        ' ',
      ),
    )
    for (const line of [
      ...lines,
      '',
      ' ',
      '"',
      '!',
      '#',
      '~',
      '½',
      '1'.repeat(1000),
      'fri '.repeat(250),
      ...phrases.map(([phrase]) => phrase.replaceAll('s', 'ſ')),
    ]) {
      for (const locale of ['en-US', 'de', 'fr', 'es-MX', 'xx']) {
        expect(parse(line, { locale }).title.length).toBeLessThanOrEqual(line.length)
      }
    }
  })
})

describe('readMinutes', () => {
  it.for([
    ['45m', 45],
    ['45', 45],
    ['2h', 120],
    ['1h 30m', 90],
    ['1:30', 90],
    ['half an hour', 30],
    ['16h', 960],
    ['17h', undefined],
    ['0', undefined],
    ['soon', undefined],
    ['', undefined],
  ] as const)('%s', ([text, wanted]) => {
    expect(readMinutes(text)).toBe(wanted)
  })
})

describe('completionAt', () => {
  it('suggests names that contain the word before the caret', () => {
    expect(completionAt('Edit #re', 8, names)?.found.map(({ name }) => name)).toEqual([
      'Website relaunch',
    ])
  })

  it('suggests nothing for a whole name', () => {
    expect(completionAt('Edit #work', 10, names)).toBeUndefined()
  })
})
