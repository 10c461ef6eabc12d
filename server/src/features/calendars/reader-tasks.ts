// The tasks of readers: everything that is done with the bytes of calendar servers and providers. `reader.ts` calls them.
import {
  type Budget,
  type CalendarObject,
  DavError,
  readListing,
  readMultistatus,
} from '@daywright/caldav'
import {
  CalendarRefused,
  type CalendarReading,
  isPast,
  lastChangeOf,
  mergeEvent,
  readCalendar,
  readCalendarFiles,
  type ReadingOptions,
  type RefusalReason,
  type WrittenEvent,
} from '@daywright/ical'
import { parseForeignJson } from '../../platform/parse-json.ts'
import { decompress } from '../../platform/readers/decompress.ts'
import type { ReaderTask, Tasks } from '../../platform/readers/tasks.ts'
import { type AnswerName, answers } from '../connected-accounts/answers.ts'
import { objectOf } from '../connected-accounts/objects.ts'
import { threadOf } from '../feeds/own-uid.ts'
import { describeChanges, hashFiles, type ReadChanges, type ReadRefused } from './read-changes.ts'
import type { StoredEvent } from './refresh.queries.ts'

/** A file is one calendar; several files form one together. */
export type ReadFiles = (
  files: Uint8Array | Uint8Array[],
  options: ReadingOptions,
) => CalendarReading

const readHere: ReadFiles = (files, options) =>
  Array.isArray(files) ? readCalendarFiles(files, options) : readCalendar(files, options)

/**
 * Events of the user's own plan are left out: the planner would plan around its own plan. Only the database knows whose plan
 * an event of Daywright belongs to, so a file that has some is read again with this answer.
 */
type Own = { ownThreads?: string[] }
export type AskOwn = { askOwn: string[] }

export type Compressed = { encoding: string | null; mostBytes: number }

export type ChangesRequest = Own & {
  calendarId: string
  options: ReadingOptions
  now: Date
  /** The hash of the last reading, if that is still valid. */
  knownHash: Buffer | null
  source:
    | ({ kind: 'file' } & Compressed)
    /** The stored objects, with these changes. */
    | { kind: 'objects'; written: CalendarObject[]; removed: string[]; mostBytes: number }
}

export type PreviewRequest = Compressed &
  Own & { options: ReadingOptions; now: Date; shown: number }
export type PreviewResult = Pick<
  CalendarReading,
  'name' | 'zone' | 'occurrences' | 'skipped' | 'skippedCount'
> & { eventCount: number }

export type OwnEvents = {
  /** Of the events with one occurrence; all-day events have none. */
  spans: { uid: string; startAt: string; endAt: string }[]
  /** When each file was changed last, in milliseconds; 0 if it does not say. */
  changedAt: number[]
}

export type ParseRequest = Compressed & {
  budget: Budget
  /** Paths are relative to it. */
  url: string
  /** The files of events that end before this time are left out. */
  from: Date | undefined
}

export const makeTasks = (readFiles: ReadFiles) => {
  /** A refusal is a result; every other error is a fault of ours. */
  function read(
    files: Uint8Array | Uint8Array[],
    options: ReadingOptions,
  ): CalendarReading | { refused: RefusalReason } {
    try {
      return readFiles(files, options)
    } catch (error) {
      if (error instanceof CalendarRefused) return { refused: error.reason }
      throw error
    }
  }

  function readOthers(
    files: Uint8Array | Uint8Array[],
    options: ReadingOptions,
    ownThreads: string[] | undefined,
  ): CalendarReading | { refused: RefusalReason } | AskOwn {
    const reading = read(files, options)
    if ('refused' in reading) return reading
    const threads = new Set(reading.occurrences.flatMap(({ uid }) => threadOf(uid) ?? []))
    if (threads.size > 0 && !ownThreads) return { askOwn: [...threads] }
    const own = new Set(ownThreads)
    const occurrences = reading.occurrences.filter(({ uid }) => !own.has(threadOf(uid) ?? ''))
    return { ...reading, occurrences }
  }

  const hash = (request: Compressed, [body]: Buffer[]) => {
    const file = decompressed(body!, request)
    return { value: typeof file === 'string' ? { refused: file } : { hash: hashFiles([file]) } }
  }

  /** `parts` are the file or the stored objects as JSON, and the stored events as JSON. */
  const readChanges = (
    { calendarId, options, now, knownHash, source, ownThreads }: ChangesRequest,
    [content, storedEvents]: Buffer[],
  ): { value: ReadChanges | ReadRefused | AskOwn | 'unchanged'; parts?: Uint8Array[] } => {
    const files = source.kind === 'file' ? fileOf(source, content!) : filesOf(source, content!)
    if ('refused' in files) return { value: files }
    const hash = hashFiles(files)
    if (knownHash?.equals(hash)) return { value: 'unchanged' }
    const reading = readOthers(source.kind === 'file' ? files[0]! : files, options, ownThreads)
    if (!('occurrences' in reading)) return { value: reading }
    const stored = JSON.parse(storedEvents!.toString()) as StoredEvent[]
    const { changes, written } = describeChanges(calendarId, reading, hash, stored, now)
    return { value: changes, parts: [Buffer.from(JSON.stringify(written))] }
  }

  const preview = (
    { options, now, shown, ownThreads, ...compressed }: PreviewRequest,
    [body]: Buffer[],
  ) => {
    const file = decompressed(body!, compressed)
    if (typeof file === 'string') return { value: { refused: file } }
    const reading = readOthers(file, options, ownThreads)
    if (!('occurrences' in reading)) return { value: reading }
    const next = reading.occurrences.filter(({ endAt }) => Date.parse(endAt) > now.getTime())
    const { name, zone, skipped, skippedCount } = reading
    const eventCount = reading.occurrences.length
    const occurrences = next.slice(0, shown)
    return { value: { name, zone, skipped, skippedCount, eventCount, occurrences } }
  }

  const readOwnEvents = ({ options }: { options: ReadingOptions }, files: Buffer[]) => {
    const reading = read(files, options)
    if ('refused' in reading) return { value: reading }
    const spans = new Map<string, OwnEvents['spans'][number]>()
    const seen = new Set<string>()
    for (const { uid, startAt, endAt, isAllDay } of reading.occurrences) {
      if (uid === null || threadOf(uid) === undefined) continue
      if (seen.has(uid) || isAllDay) spans.delete(uid)
      else spans.set(uid, { uid, startAt, endAt })
      seen.add(uid)
    }
    return { value: { spans: [...spans.values()], changedAt: files.map(lastChangeOf) } }
  }

  return {
    hash,
    readChanges,
    preview,
    readOwnEvents,

    mergeEvent: ({ event }: { event: WrittenEvent }, [file]: Buffer[]) => ({
      value: mergeEvent(file!, event),
    }),

    multistatus: (request: ParseRequest, [body]: Buffer[]) =>
      parse(request, body!, (text, budget) => readMultistatus(text, budget)),

    objects: (request: ParseRequest, [body]: Buffer[]) =>
      parse(request, body!, (text, budget) => {
        const { objects, syncToken } = readListing(text, request.url, budget)
        return { objects: objects.map((each) => withoutPast(each, request.from)), syncToken }
      }),

    readAnswer: ({ name, ...compressed }: { name: AnswerName } & Compressed, [body]: Buffer[]) => {
      const bytes = decompressed(body!, compressed)
      if (typeof bytes === 'string') return { value: undefined }
      return { value: answers[name].safeParse(parseJson(bytes)).data }
    },

    writeObjects: (events: WrittenEvent[]) => ({ value: events.map(objectOf) }),
  } satisfies Record<string, ReaderTask>
}

export type CalendarTasks = ReturnType<typeof makeTasks>

export const tasks = makeTasks(readHere) as unknown as Tasks

const decompressed = (body: Uint8Array, { encoding, mostBytes }: Compressed) =>
  decompress(body, encoding, mostBytes)

function fileOf(compressed: Compressed, content: Buffer): Uint8Array[] | ReadRefused {
  const file = decompressed(content, compressed)
  return typeof file === 'string' ? { refused: file } : [file]
}

/** The files after the changes, in the order of their paths, without those of past events. */
function filesOf(
  { written, removed, mostBytes }: Extract<ChangesRequest['source'], { kind: 'objects' }>,
  stored: Buffer,
): Uint8Array[] | ReadRefused {
  const bodies = new Map(
    (JSON.parse(stored.toString()) as Pick<CalendarObject, 'path' | 'body'>[]).map(
      ({ path, body }) => [path, body],
    ),
  )
  for (const path of removed) bodies.delete(path)
  for (const { path, body } of written) bodies.set(path, body)
  const files = [...bodies]
    .filter(([, body]) => body !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, body]) => Buffer.from(body))
  const bytes = files.reduce((sum, { length }) => sum + length, 0)
  return bytes > mostBytes ? { refused: 'too-large-to-store' } : files
}

function parse<Result>(
  { budget, ...compressed }: ParseRequest,
  body: Buffer,
  work: (text: string, budget: Budget) => Result,
) {
  const bytes = decompressed(body, compressed)
  const failed = bytes === 'too-large' ? 'too-large' : 'not-caldav'
  if (typeof bytes === 'string') return { value: { failed } }
  try {
    return { value: { result: work(new TextDecoder().decode(bytes), budget), budget } }
  } catch (error) {
    if (error instanceof DavError) return { value: { failed: error.reason } }
    throw error
  }
}

/** Drops the file of a past event: its ETag is enough to avoid reading it again. */
const withoutPast = <Listed extends { body: string | undefined }>(
  object: Listed,
  from: Date | undefined,
) =>
  from && object.body !== undefined && isPast(Buffer.from(object.body), from)
    ? { ...object, body: '' }
    : object

function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseForeignJson(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
