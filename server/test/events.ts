// What a test sees of the events that a person's changes have left.
import type { Database } from '../src/db/database.ts'

type Whose = { id: string }
// As with answers: the service's business to get right, the tests' to look into.
// oxlint-disable-next-line typescript/no-explicit-any
type Record = any
type Event = { seq: number; part: number; type: string; recordId: string; actor: Record } & {
  before: Record
  after: Record
}

/** In order; after the first so many changes, where the test is not about those. */
export async function eventsOf(db: Database, { id }: Whose, since = 0) {
  const { rows } = await db.pool.query<Event>(
    `select seq, part, type, record_id as "recordId", before, after, actor
       from events
      where user_id = $1 and seq > $2
      order by seq, part`,
    [id, since],
  )
  return rows
}

/** The same, as what changed from what to what. */
export async function changesOf(db: Database, person: Whose, since = 0) {
  const events = await eventsOf(db, person, since)
  return events.map(({ type, before, after }) => [type, before, after] as const)
}

/** How many changes there were until now. */
export async function lastEvent(db: Database, { id }: Whose) {
  const { rows } = await db.pool.query<{ last_event: number }>(
    'select last_event from agendas where user_id = $1',
    [id],
  )
  return rows[0]?.last_event ?? 0
}

/** Whether the plan does not know of something, since the last time it was asked. */
export async function becameStale(db: Database, { id }: Whose) {
  const { rows } = await db.pool.query<{ stale: boolean }>(
    `with was as (select stale_since is not null as stale from agendas where user_id = $1),
          reset as (update agendas set stale_since = null where user_id = $1)
     select stale from was`,
    [id],
  )
  return rows[0]?.stale ?? false
}

/** A task as events show it, from what the API answered. */
export function taskRecord({ space, project, labels, checklistItems, ...task }: Record): Record {
  void [space, project, checklistItems]
  return { ...task, labelIds: labels.map(({ id }: Whose) => id).toSorted() }
}

/** The same of a time block. */
export function blockRecord({ task, ...block }: Record): Record {
  void task
  return block
}
