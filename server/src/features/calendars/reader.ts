// What is done with the bytes of calendar servers and providers, in readers. Each function is a task (`reader-tasks.ts`).
import {
  type CalendarObject,
  type Content,
  DavError,
  type DavErrorReason,
  type Parse,
} from '@daywright/caldav'
import type { RefusalReason, ReadingOptions, WrittenEvent } from '@daywright/ical'
import type { Content as Received } from '../../platform/outbound/http-get.ts'
import type { Outcome, Owner } from '../../platform/readers/readers.ts'
import type { Request } from '../../platform/readers/tasks.ts'
import type { AnswerName, Answers } from '../connected-accounts/answers.ts'
import type { ReadChanges, ReadRefused } from './read-changes.ts'
import type {
  AskOwn,
  ChangesRequest,
  Compressed,
  OwnEvents,
  ParseRequest,
  PreviewRequest,
  PreviewResult,
} from './reader-tasks.ts'

/** The reader could not finish: it took too long, has died, or is busy with other calendars. */
export type Refused = {
  refused: RefusalReason | 'too-large-to-store' | 'too-expensive' | 'died' | 'busy'
  /** How long to wait until the reader accepts more of this user. */
  waitMs?: number
}

/** Thrown where a refusal cannot be returned. */
export class ReaderRefused extends Error {
  readonly refusal: Refused

  constructor(refusal: Refused) {
    super(`The reader refused: ${refusal.refused}`)
    this.refusal = refusal
  }
}

/** Finds out which of these threads are the user's own. */
export type FindOwn = (threads: string[]) => Promise<string[]>

export type Run = (owner: Owner, request: Request, parts: readonly Uint8Array[]) => Promise<Outcome>

const isAskOwn = (value: unknown): value is AskOwn =>
  typeof value === 'object' && value !== null && 'askOwn' in value

export type Reader = ReturnType<typeof makeReader>

export function makeReader(run: Run, log: (fault: string) => void = () => {}) {
  async function ask<Result>(
    owner: Owner,
    task: string,
    argument: unknown,
    parts: readonly Uint8Array[],
  ): Promise<{ value: Result; parts: Buffer[] }> {
    const outcome = await run(owner, { task, argument }, parts)
    if (outcome.kind === 'done') return { value: outcome.value as Result, parts: outcome.parts }
    if (outcome.kind === 'died') log(`A reader failed in "${task}": ${outcome.reason}`)
    const { kind: refused } = outcome
    throw new ReaderRefused({ refused, ...('waitMs' in outcome && { waitMs: outcome.waitMs }) })
  }

  /** Asks with the user's own threads as well, if the reader needs to know them. */
  async function askOthers<Result>(
    owner: Owner,
    task: string,
    argument: object,
    parts: readonly Uint8Array[],
    findOwn: FindOwn,
  ) {
    const first = await ask<Result | AskOwn>(owner, task, argument, parts)
    const { value } = first
    if (!isAskOwn(value)) return { ...first, value }
    const ownThreads = await findOwn(value.askOwn)
    return ask<Result>(owner, task, { ...argument, ownThreads }, parts)
  }

  const orRefused = (error: unknown): Refused => {
    if (error instanceof ReaderRefused) return error.refusal
    throw error
  }

  function parse(owner: Owner, mostBytes: number, from?: Date): Parse {
    async function parseIn<Result>(
      task: 'multistatus' | 'objects',
      { body, encoding }: Content,
      given: Pick<ParseRequest, 'budget' | 'url'>,
    ) {
      const request: ParseRequest = { ...given, encoding, mostBytes, from }
      const { value } = await ask<
        { failed: DavErrorReason } | { result: Result; budget: ParseRequest['budget'] }
      >(owner, task, request, [body])
      if ('failed' in value) throw new DavError(value.failed)
      Object.assign(given.budget, value.budget)
      return value.result
    }
    return {
      multistatus: (content, budget) => parseIn('multistatus', content, { budget, url: '' }),
      objects: (content, url, budget) => parseIn('objects', content, { budget, url }),
    }
  }

  return {
    /** Hashes a file without the times at which it was written. */
    hashFile: (owner: Owner, { body, encoding }: Received, mostBytes: number) =>
      ask<{ hash: Buffer } | ReadRefused>(owner, 'hash', { encoding, mostBytes }, [body])
        .then(({ value }) => value)
        .catch(orRefused),

    /** Reads a calendar, and compares it with its stored events. `written` is JSON. */
    readChanges: (
      owner: Owner,
      request: ChangesRequest,
      content: Uint8Array,
      storedEvents: string,
      findOwn: FindOwn,
    ): Promise<(ReadChanges & { written: string }) | Refused | 'unchanged'> =>
      askOthers<ReadChanges | ReadRefused | 'unchanged'>(
        owner,
        'readChanges',
        request,
        [content, Buffer.from(storedEvents)],
        findOwn,
      )
        .then(({ value, parts: [written] }) =>
          value === 'unchanged' || 'refused' in value
            ? value
            : { ...value, written: written!.toString() },
        )
        .catch(orRefused),

    preview: (
      owner: Owner,
      { body, encoding }: Received,
      request: Omit<PreviewRequest, 'encoding'>,
      findOwn: FindOwn,
    ) =>
      askOthers<PreviewResult | ReadRefused>(
        owner,
        'preview',
        { ...request, encoding },
        [body],
        findOwn,
      )
        .then(({ value }) => value)
        .catch(orRefused),

    /** Reads the events that we have written. */
    readOwnEvents: (owner: Owner, files: Uint8Array[], options: ReadingOptions) =>
      ask<OwnEvents | ReadRefused>(owner, 'readOwnEvents', { options }, files)
        .then(({ value }) => value)
        .catch(orRefused),

    /** Writes our times and texts into a file; undefined if it has become something that we do not write. */
    mergeEvent: async (owner: Owner, file: Uint8Array, event: WrittenEvent) =>
      (await ask<string | undefined>(owner, 'mergeEvent', { event }, [file])).value,

    /** Parses the answers of a CalDAV server. */
    parse,

    /** Parses and checks the answer of a provider; undefined if it is not what we expect. */
    readAnswer: async <Name extends AnswerName>(
      owner: Owner,
      name: Name,
      { body, encoding }: Received,
      mostBytes: number,
    ) => {
      const request: { name: Name } & Compressed = { name, encoding, mostBytes }
      return (await ask<Answers[Name] | undefined>(owner, 'readAnswer', request, [body])).value
    },

    /** Writes each event as a file. */
    writeObjects: async (owner: Owner, events: WrittenEvent[]) =>
      (await ask<CalendarObject[]>(owner, 'writeObjects', events, [])).value,
  }
}
