// The tasks of readers as a whole. What they consist of has tables of its own, so fewer tokens are enough here.
import { tasks } from '../../../../../server/src/features/calendars/reader-tasks.ts'
import { components } from '../formats/calendar-file.ts'
import { davLists } from '../formats/dav-answer.ts'
import { events } from '../formats/json-answer.ts'
import { megabyte, now, type Taker } from '../taker.ts'
import { optionsFor, written } from './samples.ts'

const uncompressed = { encoding: null, mostBytes: 50 * megabyte }
const url = 'https://dav.example.com/calendar/'
const budget = () => ({ elements: 400_000, characters: 60 * megabyte })

const run = (task: string, argument: object, ...parts: string[]) =>
  tasks[task]!(
    argument,
    parts.map((part) => Buffer.from(part)),
  )

const changesOf = (file: string, source: object) =>
  run(
    'readChanges',
    { calendarId: 'a', options: optionsFor(file), now, knownHash: null, source },
    source === uncompressedFile ? file : '[]',
    '[]',
  )
const uncompressedFile = { kind: 'file', ...uncompressed }
const objectsOf = (file: string) => ({
  kind: 'objects',
  written: [{ path: '/a.ics', etag: '"1"', body: file }],
  removed: [],
  mostBytes: 10 * megabyte,
})

export const takers: Taker[] = [
  {
    name: 'task hash',
    format: components,
    take: (file) => run('hash', uncompressed, file),
    mostBytes: 50 * megabyte,
    mostSteps: 12_500,
  },
  {
    name: 'task readChanges, a file',
    format: components,
    take: (file) => changesOf(file, uncompressedFile),
    mostBytes: 50 * megabyte,
    mostSteps: 16_500,
  },
  {
    name: 'task readChanges, objects',
    format: components,
    take: (file) => changesOf(file, objectsOf(file)),
    mostBytes: 10 * megabyte,
    mostSteps: 16_500,
  },
  {
    name: 'task preview',
    format: components,
    take: (file) =>
      run('preview', { options: optionsFor(file), now, shown: 5, ...uncompressed }, file),
    mostBytes: 10 * megabyte,
    mostSteps: 8000,
  },
  {
    name: 'task readOwnEvents',
    format: components,
    take: (file) => run('readOwnEvents', { options: optionsFor(file) }, file),
    mostBytes: 10 * megabyte,
    mostSteps: 10_000,
  },
  {
    name: 'task mergeEvent',
    format: components,
    take: (file) => run('mergeEvent', { event: written }, file),
    mostBytes: 5 * megabyte,
    mostSteps: 11_500,
  },
  {
    name: 'task multistatus',
    format: davLists,
    take: (body) => run('multistatus', { ...uncompressed, budget: budget(), url }, body),
    mostBytes: 10 * megabyte,
    mostSteps: 21_000,
  },
  {
    name: 'task objects',
    format: davLists,
    take: (body) => run('objects', { ...uncompressed, budget: budget(), url, from: now }, body),
    mostBytes: 10 * megabyte,
    mostSteps: 21_000,
  },
  {
    name: 'task readAnswer',
    format: events,
    take: (body) => run('readAnswer', { name: 'google-events', ...uncompressed }, body),
    mostBytes: 20 * megabyte,
    mostSteps: 13_500,
  },
  {
    name: 'task writeObjects',
    format: events,
    take: (title) => run('writeObjects', [{ ...written, title }]),
    mostBytes: 20 * megabyte,
    mostSteps: 500,
  },
]
