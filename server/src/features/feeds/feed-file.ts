import { createHash } from 'node:crypto'
import type { FeedDetail } from '@daywright/contract'
import { writeCalendar } from '@daywright/ical'
import { eventOf, type PlanBlock, product } from './plan-blocks.ts'

export type FeedContent = { name: string; detail: FeedDetail; blocks: PlanBlock[] }

const refreshMinutes = 15

/** The file of a feed. `origin` is that of the web app, for links to the tasks. */
export function writeFeed({ name, detail, blocks }: FeedContent, origin: string) {
  const events = blocks.map((block) => eventOf(block, detail, origin))
  return writeCalendar({ name, product, refreshMinutes, events })
}

/** What the file depends on: it is the same as long as this is. */
export type FeedVersion = {
  id: string
  name: string
  detail: FeedDetail
  /** The last event of the user. */
  lastEvent: number
  /** The day from which the window of blocks is counted. */
  day: string
  origin: string
}

/** The ETag of the file, known before the file is written. */
export function tagOf({ id, name, detail, lastEvent, day, origin }: FeedVersion) {
  const hash = createHash('sha256').update(
    JSON.stringify([id, name, detail, lastEvent, day, origin]),
  )
  return `"${hash.digest('base64url').slice(0, 27)}"`
}
