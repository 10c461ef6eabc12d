import { type Client, deleteObject, putObject, readObjects } from '@daywright/caldav'
import { type WrittenEvent, writeEvent } from '@daywright/ical'
import { type PlanBlock, product } from '../feeds/plan-blocks.ts'
import type { PublishedBlock } from './publish.queries.ts'

export type Desired = { block: PlanBlock; event: WrittenEvent; fingerprint: string }

/** The most bytes of the events that are read in order to be changed. */
const mostReadBytes = 5_000_000

/** A larger event is left alone, as if it had been deleted there. */
const mostMergedBytes = 200_000

export type Differences = {
  client: Client
  /** Writes our times and texts into a file; undefined if it has become something that we do not write. */
  merge: (file: Uint8Array, event: WrittenEvent) => Promise<string | undefined>
  url: string
  desired: Map<string, Desired>
  /** What is on the server, by thread. A row is replaced when the server has answered. */
  rows: Map<string, PublishedBlock>
  /** Events that end before this time are past, and stay. */
  from: Date
  /** If true, an event that was changed on the server meanwhile is not overwritten: it is read first. */
  isTwoWay: boolean
}

/** Writes the differences; returns how many are left. */
export async function writeDifferences({
  client,
  merge,
  url,
  desired,
  rows,
  from,
  isTwoWay,
}: Differences) {
  let left = 0
  for (const [thread, wanted] of desired) {
    const row = rows.get(thread)
    if (row?.fingerprint !== wanted.fingerprint && row?.etag !== '') await put(thread, wanted, row)
  }
  for (const row of rows.values()) {
    if (!desired.has(row.thread)) await remove(row)
  }
  await readMissingTags()
  return left

  async function put(thread: string, { event, fingerprint }: Desired, row?: PublishedBlock) {
    const { startAt, endAt } = event
    const save = (etag: string | null, isEdited = false) =>
      void rows.set(thread, { thread, etag, isEdited, fingerprint, startAt, endAt })
    if (!row?.isEdited && row?.etag !== null) {
      const body = writeEvent(event, product)
      const answer = await putObject(client, urlOf(thread), { body, etag: row?.etag ?? null })
      if (answer.kind === 'written') return save(answer.etag)
      if (row && isTwoWay) return void (left += 1)
    }
    const found = await readOne(thread)
    // The event was deleted on the server, unless we have never written it.
    if (!found) return row ? save('') : void (left += 1)
    if (row?.isEdited && isTwoWay && found.etag !== row.etag) return void (left += 1)
    const file = Buffer.from(found.body)
    const body = file.length > mostMergedBytes ? undefined : await merge(file, event)
    if (body === undefined) return save('')
    const answer = await putObject(client, urlOf(thread), { body, etag: found.etag })
    if (answer.kind === 'written') save(answer.etag, true)
    else left += 1
  }

  async function remove({ thread, etag, endAt }: PublishedBlock) {
    const isLeftAlone = etag === '' || Date.parse(endAt) < from.getTime()
    if (isLeftAlone) return void rows.delete(thread)
    if (etag !== null && (await deleteObject(client, urlOf(thread), etag))) {
      return void rows.delete(thread)
    }
    const found = await readOne(thread)
    if (!found || (await deleteObject(client, urlOf(thread), found.etag))) rows.delete(thread)
    else left += 1
  }

  /** Reads the missing ETags: servers that alter what they store do not return one. */
  async function readMissingTags() {
    const missing = [...rows.values()].filter(({ etag }) => etag === null)
    const found = await read(missing.map(({ thread }) => thread))
    for (const row of missing) {
      const etag = found.get(row.thread)?.etag
      if (etag) rows.set(row.thread, { ...row, etag })
    }
  }

  async function readOne(thread: string) {
    return (await read([thread])).get(thread)
  }

  async function read(threads: string[]) {
    const paths = new Map(threads.map((thread) => [new URL(urlOf(thread)).pathname, thread]))
    const objects =
      paths.size > 0 ? await readObjects(client, url, [...paths.keys()], mostReadBytes) : []
    return new Map(objects.map((object) => [paths.get(object.path) ?? '', object]))
  }

  function urlOf(thread: string) {
    return objectUrl(url, thread)
  }
}

/** The URL of the event of a block. */
export const objectUrl = (url: string, thread: string) => new URL(`${thread}.ics`, url).href
