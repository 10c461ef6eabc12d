import {
  isPast,
  lastChangeOf,
  mergeEvent,
  parseRule,
  readCalendar,
  readCalendarFiles,
  withoutStamps,
} from '@daywright/ical'
import { decompress } from '../../../../../server/src/platform/readers/decompress.ts'
import { calendarFile, components } from '../formats/calendar-file.ts'
import { document, rule } from '../formats/texts.ts'
import { megabyte, type Taker } from '../taker.ts'
import { optionsFor, window, written } from './samples.ts'

/** All work but the scan of the bytes is charged, so almost nothing is done without steps. */
const withoutSteps = { ...window, addresses: ['ada@example.com'], limits: { steps: 100 } }

export const takers: Taker[] = [
  {
    name: 'readCalendar',
    format: calendarFile,
    take: (file) => readCalendar(Buffer.from(file), optionsFor(file)),
    mostBytes: 50 * megabyte,
    mostSteps: 5000,
    covers: ['readCalendar'],
  },
  {
    name: 'readCalendar without steps left',
    format: calendarFile,
    take: (file) => readCalendar(Buffer.from(file), withoutSteps),
    mostBytes: 50 * megabyte,
    mostSteps: 2400,
  },
  {
    name: 'readCalendarFiles without steps left',
    format: components,
    take: (file) => readCalendarFiles([Buffer.from(file)], withoutSteps),
    mostBytes: 10 * megabyte,
    mostSteps: 2400,
    covers: ['readCalendarFiles'],
  },
  {
    name: 'isPast',
    format: calendarFile,
    take: (file) => isPast(Buffer.from(file), new Date('2026-06-01')),
    mostBytes: 10 * megabyte,
    mostSteps: 8000,
    covers: ['isPast'],
  },
  {
    name: 'withoutStamps',
    format: calendarFile,
    take: (file) => withoutStamps(Buffer.from(file)),
    mostBytes: 50 * megabyte,
    mostSteps: 12_500,
    covers: ['withoutStamps'],
  },
  {
    name: 'lastChangeOf',
    format: calendarFile,
    take: (file) => lastChangeOf(Buffer.from(file)),
    mostBytes: 10 * megabyte,
    mostSteps: 7000,
    covers: ['lastChangeOf'],
  },
  {
    name: 'mergeEvent',
    format: calendarFile,
    take: (file) => mergeEvent(Buffer.from(file), written),
    mostBytes: 5 * megabyte,
    mostSteps: 11_500,
    covers: ['mergeEvent'],
  },
  {
    name: 'parseRule',
    format: rule,
    take: (text) => parseRule(text),
    mostBytes: 50 * megabyte,
    mostSteps: 5000,
    covers: ['parseRule'],
  },
  {
    name: 'decompress',
    format: document,
    take: (body) =>
      ['gzip', 'br', 'deflate'].map((each) => decompress(Buffer.from(body), each, megabyte)),
    mostBytes: 50 * megabyte,
    mostSteps: 100,
  },
]
