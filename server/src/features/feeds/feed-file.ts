import { createHash } from 'node:crypto'
import type { FeedDetail } from '@daywright/contract'
import { writeCalendar, type WrittenEvent } from '@daywright/ical'
import { uidOf } from './own-uid.ts'

export type FeedBlock = {
  thread: string
  taskId: string | null
  title: string
  explanation: string | null
  startAt: string
  endAt: string
  createdAt: string
  updatedAt: string
}

export type FeedContent = { name: string; detail: FeedDetail; blocks: FeedBlock[] }

const product = '-//Daywright//Plan//EN'
const refreshMinutes = 15

/** The file, and a tag that changes with it. `origin` is that of the web app, for links to the tasks. */
export function writeFeed({ name, detail, blocks }: FeedContent, origin: string) {
  const events = blocks.map((block): WrittenEvent => ({
    uid: uidOf(block.thread),
    startAt: block.startAt,
    endAt: block.endAt,
    createdAt: block.createdAt,
    updatedAt: block.updatedAt,
    title: detail === 'busy' ? 'Busy' : block.title,
    ...(detail === 'full' && {
      ...(block.explanation && { description: block.explanation }),
      ...(block.taskId && { url: `${origin}/tasks/${block.taskId}` }),
    }),
    isPrivate: detail === 'full',
  }))
  const file = writeCalendar({ name, product, refreshMinutes, events })
  const hash = createHash('sha256').update(file).digest('base64url')
  return { file, etag: `"${hash.slice(0, 27)}"` }
}
