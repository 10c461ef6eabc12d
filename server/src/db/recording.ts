// Every change appends an event: one row per record, in the same statement as the change, so that neither
// exists without the other. The user's agenda row gives the sequence number. A transaction locks it last,
// so numbers follow commit order and deadlocks are prevented. Other rows are locked in this order: user,
// spaces, projects, documents, preferences, labels, tasks, records of a task; within a table, by id
// (`lock-order.test.ts`).
import type { Db } from './database.ts'
import { type Fields, oneAsJsonb, selecting, touchedOf } from './statement.ts'
import { addUsage, bytesOfChange, type Counted, historyIsFull, usageOf } from './usage.ts'

export type Change = {
  /** `task.updated`. */
  type: string
  /** The record's JSON fields, as SQL over a row named `row`. */
  fields: Fields
  row: string
  /** The fields afterwards, where the statement also changes related rows. */
  fieldsAfter?: Fields
  /** The record's id, where the row has no column `id`. */
  id?: string
  /**
   * The CTEs with the records before and after; only one of them for a created or deleted record. Where
   * many records may change, `before` is `was`: a column of `after` with the row before the update.
   */
  before?: string
  after?: string
  /** With `was`: records of which only `updatedAt` has changed are not recorded. */
  ifChanged?: boolean
}

export type Consequences = {
  plan?: boolean
  planned?: string
  look?: boolean
  /** SQL counts of records deleted along without their own event, by the resource they count for. */
  went?: Partial<Record<Counted, string>>
  /** The rows of `documents` whose text was replaced: the old text is kept for the history. */
  replaced?: string
}

/**
 * CTEs that append events for the changes of the CTEs before them. `plan` means that the user must be
 * replanned, `planned` that the user has just been planned up to that event, and `look` that other jobs
 * may be due now.
 *
 * The old record is selected `for no key update` first, which shows what a concurrent request has just
 * committed; the statement's own snapshot does not. All changes are counted before the agenda is locked,
 * and so are made before it: every lock of a statement feeds one of its changes.
 */
export const recording = (
  changes: Change[],
  { plan = false, planned, look = false, went = {}, replaced }: Consequences = {},
) => {
  const usage = usageOf(changes, went, replaced)
  return `
  change as (${changes.map(asRows).join('\n    union all')}
  ), counted as (
    insert into agendas as agenda (user_id, last_event, stale_since, due_at${usage.map(({ column }) => `, ${column}`).join('')})
    select $1, 1, ${plan ? `current_timestamp, current_timestamp + ${stillFor}` : 'null, current_timestamp'}${usage.map(({ added }) => `,\n           ${added}`).join('')}
      from change
    having count(*) > 0
    on conflict (user_id) do update
       set last_event = agenda.last_event + 1,
           stale_since = ${staleSince(plan, planned)},
           due_at = case when ${historyIsFull} then least(agenda.due_at, excluded.due_at)
                         else ${look ? dueNow(plan) : plan ? dueWithPlan : dueWithoutPlan} end${usage.map((each) => `,\n           ${addUsage(each)}`).join('')}
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
           change.type, change.id, change.before, change.after, $actor::jsonb, ${bytesOfChange}
      from counted, change
  )${replaced ? keeping(replaced) : ''}`
}

// After the agenda is locked, so no other write of the user can store the same text.
const keeping = (replaced: string) => `, kept as (
    insert into texts (user_id, hash, content, last_event)
    select $1, replaced.content_hash, replaced.content, counted.last_event
      from counted, ${replaced} replaced
    on conflict (user_id, hash) do update set last_event = excluded.last_event
  )`

// Debounce: the worker re-evaluates the user at `due_at`, 2 s after the last change.
const stillFor = `interval '2 seconds'`

function staleSince(plan: boolean, planned: string | undefined) {
  if (plan) return 'coalesce(agenda.stale_since, excluded.stale_since)'
  if (!planned) return 'agenda.stale_since'
  return `case when agenda.last_event <> ${planned} then agenda.stale_since end`
}

// Subscribers are notified at once. The time comes with the row: a cluster refuses a clock in an upsert.
const dueWithoutPlan = `
             case when agenda.has_webhooks then least(agenda.due_at, excluded.due_at)
                  else agenda.due_at end`
const dueNow = (plan: boolean) =>
  `least(agenda.due_at, ${plan ? 'excluded.stale_since' : 'excluded.due_at'})`
const dueWithPlan = `
             case when agenda.has_webhooks then least(agenda.due_at, excluded.stale_since)
                  when agenda.automatic then least(agenda.due_at, excluded.due_at)
                  else agenda.due_at end`

/** The parts of an event are ordered by place, and by id within one type. */
function asRows(
  { type, fields, fieldsAfter = fields, row, id = `${row}.id`, ...ctes }: Change,
  place: number,
) {
  const { before, after, ifChanged } = ctes
  const as = (cte: string, shown: Fields) =>
    `(select ${id} as id, ${oneAsJsonb(shown)} as json from ${cte} ${row})`
  if (before === 'was' && after) {
    // Not a join: the generic plan expects one row on each side and would choose a nested loop.
    const rows = `
    select ${place} as place, '${type}' as type, ${id} as id,
           ${oneAsJsonb(fields, `from (select (${row}.was).*) ${row}`)} as before,
           ${oneAsJsonb(fieldsAfter)} as after
      from ${after} ${row}`
    return ifChanged
      ? `
    select * from (${rows}) edit where before - 'updatedAt' <> after - 'updatedAt'`
      : rows
  }
  if (before && after) {
    return `
    select ${place} as place, '${type}' as type, new.id, old.json as before, new.json as after
      from ${as(before, fields)} old join ${as(after, fieldsAfter)} new using (id)`
  }
  return `
    select ${place} as place, '${type}' as type, one.id,
           ${before ? 'one.json' : 'null::jsonb'} as before,
           ${after ? 'one.json' : 'null::jsonb'} as after
      from ${before ? as(before, fields) : as(after ?? '', fieldsAfter)} one`
}

/** Sets references to a deleted record to null, which is itself a recorded change. */
export function detaching(
  { table, name, fields, row }: Detachable,
  reference: string,
  condition: string,
) {
  const after = `detached_${table}`
  const ctes = `
  old_${table} as (
    select old as was, id
      from ${table} old
     where user_id = $1 and ${condition}
     order by id
       for no key update
  ), ${after} as (
    update ${table} ${row}
       set ${reference} = null, ${touchedOf(row)}
      from old_${table} old
     where ${row}.user_id = $1 and ${row}.id = old.id
    returning ${row}.*, old.was
  )`
  const change: Change = { type: `${name}.updated`, fields, row, before: 'was', after }
  return { ctes, change }
}

export type Detachable = { table: string; name: string; fields: Fields; row: string }
const append = selecting(
  'events.append',
  `
  with counted as (
    insert into agendas as agenda (user_id, last_event) values ($1, 1)
    on conflict (user_id) do update
       set last_event = agenda.last_event + 1, due_at = ${dueWithoutPlan}
    returning last_event
  )
  insert into events (user_id, seq, part, type, record_id, before, after, actor)
  select $1, counted.last_event, 1, $2, $3, $4, $5, $actor::jsonb from counted`,
)

type Told = { type: string; id: string; before?: string; after?: string }

/** Records a change made by several statements; must be the last statement of the transaction. */
export const record = (db: Db, userId: string, { type, id, before, after }: Told) =>
  append(db, userId, type, id, before, after)
