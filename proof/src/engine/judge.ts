// What must hold once no more changes are made.
import type pg from 'pg'
import type { Person } from './people.ts'
import { wrongDeliveries, type Receiver } from './receiver.ts'
import { wrongReading } from './readers.ts'

const unsettled = `
  select (select count(*) from user_state where stale_since is not null)::int as stale,
         (select count(*)
            from webhooks
            join user_state using (user_id)
           where webhooks.seq < user_state.last_event)::int as behind,
         (select count(*) from webhooks where disabled_at is not null)::int as disabled,
         (select count(*) from graphile_worker.jobs where locked_at is not null)::int as jobs`

/** The work left, as text; undefined if there is none. */
export async function whatIsLeft(db: pg.Pool) {
  const { rows } =
    await db.query<Record<'stale' | 'behind' | 'disabled' | 'jobs', number>>(unsettled)
  const left = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0)
  if (left.length === 0) return undefined
  return left.map(([what, count]) => `${count} ${what}`).join(', ')
}

// A job's key is its kind, the user, and for deliveries the webhook.
const locked = `
  select distinct split_part(split_part(key, ':', 2), '/', 1) as user_id
    from graphile_worker.jobs
   where locked_by = any($1::text[])`

/** The users of the jobs that these pools of workers have locked. */
export async function usersLockedBy(db: pg.Pool, pools: string[]) {
  const { rows } = await db.query<{ user_id: string }>(locked, [pools])
  return rows.map(({ user_id }) => user_id)
}

// Tasks whose scheduled blocks do not add up to their current estimate.
const unplanned = `
  select task.user_id, task.title
    from tasks task
    left join time_blocks block
      on block.user_id = task.user_id and block.task_id = task.id and block.status = 'scheduled'
   group by task.user_id, task.id
  having coalesce(sum(extract(epoch from block.end_at - block.start_at)), 0) <> task.estimate_minutes * 60`

export async function wrongPlans(db: pg.Pool) {
  const { rows } = await db.query<{ user_id: string; title: string }>(unplanned)
  return rows
    .slice(0, 3)
    .map(({ user_id, title }) => `${title} of ${user_id} is not planned as it is`)
}

/** Checks one user's events as stored, as each reader read them, and as the receiver got them. */
export async function wrongEvents(db: pg.Pool, person: Person, receiver: Receiver) {
  const { rows } = await db.query<{ seq: number; part: number; type: string; record_id: string }>(
    'select seq::int, part, type, record_id from events where user_id = $1 order by seq, part',
    [person.id],
  )
  const lines: string[] = []
  let last = { seq: 0, part: 0 }
  for (const { seq, part } of rows) {
    const follows =
      (seq === last.seq && part === last.part + 1) || (seq === last.seq + 1 && part === 1)
    if (!follows) lines.push(`${person.id} has ${seq}-${part} after ${last.seq}-${last.part}`)
    last = { seq, part }
  }
  const ids = rows.map(({ seq, part }) => `${seq}-${part}`)
  const subscribed = rows.findIndex(({ type }) => type === 'webhook.created')
  const told = rows.filter(({ type }) => type === 'task.created').map((row) => row.record_id)
  const made = person.taskIds.filter((id) => told.filter((one) => one === id).length !== 1)
  if (made.length > 0) lines.push(`${person.id}: ${made.length} new tasks without one event each`)
  lines.push(
    ...wrongReading(`the stream of ${person.id}`, person.stream.seen, ids),
    ...wrongReading(`the poll of ${person.id}`, person.poll.seen, ids),
    ...wrongDeliveries(person.path, receiver.attemptsAt(person.path), ids.slice(subscribed)),
  )
  return { lines, count: rows.length }
}
