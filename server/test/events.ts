// The events that a user's changes have appended.
import type { Database } from '../src/platform/db/database.ts'

type Whose = { id: string }
// Untyped on purpose: tests check the content themselves.
// oxlint-disable-next-line typescript/no-explicit-any
type Record = any
type Event = { seq: number; part: number; type: string; recordId: string; actor: Record } & {
  before: Record
  after: Record
}

/** The user's events in order, without those of the first `since` changes. */
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

/** The user's events as `[type, before, after]`. */
export async function changesOf(db: Database, person: Whose, since = 0) {
  const events = await eventsOf(db, person, since)
  return events.map(({ type, before, after }) => [type, before, after] as const)
}

/** The number of changes so far. */
export async function lastEvent(db: Database, { id }: Whose) {
  const { rows } = await db.pool.query<{ last_event: number }>(
    'select last_event from user_state where user_id = $1',
    [id],
  )
  return rows[0]?.last_event ?? 0
}

/** Whether the plan has become stale since the last call. */
export async function becameStale(db: Database, { id }: Whose) {
  const { rows } = await db.pool.query<{ stale: boolean }>(
    `with was as (select stale_since is not null as stale from user_state where user_id = $1),
          reset as (update user_state set stale_since = null where user_id = $1)
     select stale from was`,
    [id],
  )
  return rows[0]?.stale ?? false
}

/** A task as in events, from the API's response. */
export function taskRecord({ space, project, labels, checklistItems, ...task }: Record): Record {
  void [space, project, checklistItems]
  return { ...task, labelIds: labels.map(({ id }: Whose) => id).toSorted() }
}

/** A time block as in events, from the API's response. */
export function blockRecord({ task, ...block }: Record): Record {
  void task
  return { cancelReason: null, startedAt: null, completedAt: null, ...block }
}

/** A space or a project as in events, from the API's response. */
export const placeRecord = (place: Record): Record => ({ schedulePreferenceId: null, ...place })
