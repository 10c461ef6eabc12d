import { createHash } from 'node:crypto'
import type { FeedDetail } from '@daywright/contract'
import { writeCalendar } from '@daywright/ical'
import { eventOf, type PlanBlock, product } from './plan-blocks.ts'

export type FeedContent = { name: string; detail: FeedDetail; blocks: PlanBlock[] }

const refreshMinutes = 15

/** The file of a feed and its ETag. `origin` is that of the web app, for links to the tasks. */
export function writeFeed({ name, detail, blocks }: FeedContent, origin: string) {
  const events = blocks.map((block) => eventOf(block, detail, origin))
  const file = writeCalendar({ name, product, refreshMinutes, events })
  const hash = createHash('sha256').update(file).digest('base64url')
  return { file, etag: `"${hash.slice(0, 27)}"` }
}
