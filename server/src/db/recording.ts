// Every change leaves an event: one row for each record, in the statement that makes the change, so
// that neither can be without the other. The user's agenda gives the number. It is the last thing a
// transaction locks, so numbers come in the order of commits and nobody waits for it in a circle. What
// else a write locks, it locks in this order: the user, spaces, projects, documents, preferences,
// labels, tasks, what belongs to a task; of one table, by id (`lock-order.test.ts`).
import type { Db } from './database.ts'
import { type Fields, oneAsJsonb, selecting, touchedOf } from './statement.ts'
import { addUsage, bytesOfChange, type Counted, historyIsFull, usageOf } from './usage.ts'

export type Change = {
  /** `task.updated`. */
  type: string
  /** How the record looks on the wire, as SQL over a row named `row`. */
  fields: Fields
  row: string
  /** How it looks afterwards, where the statement also changes what is around the row. */
  fieldsAfter?: Fields
  /** The record's id, where the row has none of that name. */
  id?: string
  /**
   * The CTEs with the records as they were and as they are now; one of them where only one is. Where
   * many records may change, `before` is `was`: a column of `after` with the row that was updated.
   */
  before?: string
  after?: string
  /** With `was`: nothing is recorded of a record of which only `updatedAt` has changed. */
  ifChanged?: boolean
}

export type Consequences = {
  plan?: boolean
  planned?: string
  look?: boolean
  /** What went along without an event of its own: how many, as SQL, by what they are counted as. */
  went?: Partial<Record<Counted, string>>
  /** The rows of `documents` whose text is no longer theirs: it is kept for the history. */
  replaced?: string
}

/**
 * CTEs that record what the CTEs before them have changed. `plan` says that the plan must be made
 * anew; `planned`, that it has just been made, from all that had happened up to that event; `look`, that
 * other things may be due now.
 *
 * A record as it was is selected `for no key update` first: what a concurrent request has just
 * written is seen then, which the statement's own snapshot does not. All changes are counted before
 * the agenda is locked, and so are made before: whatever a statement locks feeds one of its changes.
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

// After the agenda is locked: no other write of the user can be at the same text.
const keeping = (replaced: string) => `, kept as (
    insert into texts (user_id, hash, content, last_event)
    select $1, replaced.content_hash, replaced.content, counted.last_event
      from counted, ${replaced} replaced
    on conflict (user_id, hash) do update set last_event = excluded.last_event
  )`

// The plan is made anew when the hand has been still for a moment: someone looks then.
const stillFor = `interval '2 seconds'`

function staleSince(plan: boolean, planned: string | undefined) {
  if (plan) return 'coalesce(agenda.stale_since, excluded.stale_since)'
  if (!planned) return 'agenda.stale_since'
  return `case when agenda.last_event <> ${planned} then agenda.stale_since end`
}

// Subscribers are told at once. The time comes with the row: a cluster refuses a clock in an upsert.
const dueWithoutPlan = `
             case when agenda.has_webhooks then least(agenda.due_at, excluded.due_at)
                  else agenda.due_at end`
const dueNow = (plan: boolean) =>
  `least(agenda.due_at, ${plan ? 'excluded.stale_since' : 'excluded.due_at'})`
const dueWithPlan = `
             case when agenda.has_webhooks then least(agenda.due_at, excluded.stale_since)
                  when agenda.automatic then least(agenda.due_at, excluded.due_at)
                  else agenda.due_at end`

/** Their place, and of one kind their id, is the order of the event's parts. */
function asRows(
  { type, fields, fieldsAfter = fields, row, id = `${row}.id`, ...ctes }: Change,
  place: number,
) {
  const { before, after, ifChanged } = ctes
  const as = (cte: string, shown: Fields) =>
    `(select ${id} as id, ${oneAsJsonb(shown)} as json from ${cte} ${row})`
  if (before === 'was' && after) {
    // Not joined: planned without values, PostgreSQL expects one row on each side of a join, and
    // compares each with each.
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

/** What another record's end does to a record: its reference becomes null, which is a change, too. */
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

/** The same for a change of several statements: in their transaction, and the last of it. */
export const record = (db: Db, userId: string, { type, id, before, after }: Told) =>
  append(db, userId, type, id, before, after)
