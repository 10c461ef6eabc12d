// What must hold for the stored events.
import type pg from 'pg'
import type { Meeting } from './sites.ts'
import type { Honest } from './world.ts'

type Stored = { id: string; title: string; start_at: Date; end_at: Date }

const lineOf = (title: string, startAt: Date, endAt: Date) =>
  `${title} ${startAt.toISOString()} ${endAt.toISOString()}`

export async function storedOf(db: pg.Pool, userId: string) {
  const { rows } = await db.query<Stored>(
    'select id, title, start_at, end_at from calendar_events where user_id = $1 order by title',
    [userId],
  )
  return rows
}

/** How the stored events differ from the meetings; undefined if they do not. */
export async function wrongEvents(db: pg.Pool, userId: string, meetings: Meeting[]) {
  const stored = await storedOf(db, userId)
  const there = stored.map((row) => lineOf(row.title, row.start_at, row.end_at))
  const wanted = meetings.map(({ uid, startAt, endAt }) => lineOf(uid, startAt, endAt))
  const lost = wanted.filter((each) => !there.includes(each))
  const doubled = there.filter((each, at) => there.indexOf(each) !== at)
  const others = there.filter((each) => !wanted.includes(each))
  if (lost.length + doubled.length + others.length === 0) return undefined
  return `${lost.length} of ${wanted.length} events lost, ${doubled.length} doubled, ${others.length} that are not in the file`
}

/** Checks that each change of the file is recorded once, and a fetch without a change not at all. */
export async function wrongHistory(db: pg.Pool, { users, number, versions }: Honest) {
  const lines: string[] = []
  for (const { id } of users) {
    const { rows } = await db.query<{ changes: number }>(
      `select count(*)::int as changes from events
        where user_id = $1 and type = 'calendar.refreshed'
          and after ->> 'changedAt' is distinct from before ->> 'changedAt'`,
      [id],
    )
    const changes = rows[0]?.changes ?? 0
    if (changes !== versions) {
      lines.push(`${versions} versions of calendar ${number} are recorded as ${changes} changes`)
    }
  }
  return lines
}

const overlapping = `
  select block.title, event.title as event
    from time_blocks block
    join calendar_events event on event.user_id = block.user_id
     and event.start_at < block.end_at and event.end_at > block.start_at
   where block.status = 'scheduled' and block.user_id = any($1)`

/** The planned blocks that overlap an event, one line each. */
export async function blocksDuringEvents(db: pg.Pool, users: string[]) {
  const { rows } = await db.query<{ title: string; event: string }>(overlapping, [users])
  return rows.map(({ title, event }) => `${title} is planned during ${event}`)
}
