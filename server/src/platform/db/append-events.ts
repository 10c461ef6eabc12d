// Every change appends an event: one row per record, in the same statement as the change, so that neither
// exists without the other. The user's row in `user_state` gives the sequence number. A transaction locks it last,
// so numbers follow commit order and deadlocks are prevented. Other rows are locked in this order: user,
// preferences, spaces, projects, documents, labels, recurrences, tasks, records of a task, settings; within a
// table, by id (`lock-order.test.ts`).
import type { Db } from './database.ts'
import { asSql, type Fields, oneAsJsonb, setUpdatedAt, type SqlText } from './fragments.ts'
import {
  actor,
  type AnySql,
  type GivenTo,
  join,
  jsonText,
  raw,
  type Sql,
  sql,
  text,
  userId,
  uuid,
} from './sql.ts'
import { execute } from './statement.ts'
import { addUsage, bytesOfChange, type Counted, historyIsFull, usageOf } from './usage.ts'

export type Change = {
  /** The type of the event, such as `task.updated`. */
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

/** The parameters that the JSON fields of a change need. */
type GivenToChange<Each> = GivenTo<
  ValuesOf<FieldsOf<Each, 'fields'> | FieldsOf<Each, 'fieldsAfter'>>
>
type FieldsOf<Each, Key extends string> = Each extends unknown
  ? Key extends keyof Each
    ? NonNullable<Each[Key]>
    : never
  : never
type ValuesOf<Shown> = Shown extends unknown ? Shown[keyof Shown] : never

export type Consequences<Planned extends SqlText> = {
  plan?: boolean
  planned?: Planned
  look?: boolean
  /** SQL for the number of records that are deleted with another one, without their own event, by resource. */
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
 * committed; the statement's own snapshot does not. All changes are counted, and therefore made, before the
 * row in `user_state` is locked: every lock of a statement feeds one of its changes.
 */
export const appendEvents = <const Changes extends readonly Change[], Planned extends SqlText = ''>(
  changes: Changes,
  { plan = false, planned, look = false, went = {}, replaced }: Consequences<Planned> = {},
) => {
  const usage = usageOf(changes, went, replaced)
  const columns = usage.map(({ column }) => `, ${column}`).join('')
  const added = usage.map((each) => `,\n           ${each.added}`).join('')
  const sums = usage.map((each) => sql`,\n           ${addUsage(each)}`)
  const due = look ? dueNow(plan) : plan ? dueWithPlan : planned ? dueAfterRun : dueWithoutPlan
  const appended = sql`
  change as (${join(changes.map(asRows), '\n    union all')}
  ), counted as (
    insert into user_state (user_id, last_event, stale_since, due_at${raw(columns)})
    select ${userId}, 1, ${raw(plan ? `current_timestamp, current_timestamp + ${stillFor}` : 'null, current_timestamp')}${raw(added)}
      from change
    having count(*) > 0
    on conflict (user_id) do update
       set last_event = user_state.last_event + 1,
           stale_since = ${staleSince(plan, planned)},
           due_at = case when ${historyIsFull} then least(user_state.due_at, excluded.due_at)
                         else ${raw(due)} end${join(sums, '')}
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select ${userId}, counted.last_event, row_number() over (order by change.place, change.id),
           change.type, change.id, change.before, change.after, ${actor}::jsonb, ${raw(bytesOfChange)}
      from counted, change
  )${replaced ? keep(replaced) : raw('')}`
  return appended as Sql<GivenTo<typeof userId> & GivenToChange<Changes[number]> & GivenTo<Planned>>
}

// Runs after `user_state` is locked, so no concurrent write of the user can store the same text.
const keep = (replaced: string) => sql`, kept as (
    insert into texts (user_id, hash, content, last_event)
    select ${userId}, replaced.content_hash, replaced.content, counted.last_event
      from counted, ${raw(replaced)} replaced
    on conflict (user_id, hash) do update set last_event = excluded.last_event
  )`

// Debounce: the worker re-evaluates the user at `due_at`, 2 s after the last change.
const stillFor = `interval '2 seconds'`

function staleSince(plan: boolean, planned: SqlText | undefined): AnySql {
  if (plan) return raw('coalesce(user_state.stale_since, excluded.stale_since)')
  if (!planned) return raw('user_state.stale_since')
  return sql`case when user_state.last_event <> ${asSql(planned)} then user_state.stale_since end`
}

// These conditions read only flags in the row that is locked anyway, which is why `automatic` is not in `user_settings`.
// Webhooks and calendars that show the plan are notified at once. The time comes with the row: a cluster refuses a clock in an upsert.
const dueWithoutPlan = `
             case when user_state.has_webhooks or user_state.publishes then least(user_state.due_at, excluded.due_at)
                  else user_state.due_at end`
// After a run, another block may be the next one to end, and to be missed.
const dueAfterRun = `
             case when user_state.has_webhooks or user_state.publishes or user_state.automatic
                  then least(user_state.due_at, excluded.due_at)
                  else user_state.due_at end`
const dueNow = (plan: boolean) =>
  `least(user_state.due_at, ${plan ? 'excluded.stale_since' : 'excluded.due_at'})`
const dueWithPlan = `
             case when user_state.has_webhooks or user_state.publishes then least(user_state.due_at, excluded.stale_since)
                  when user_state.automatic or user_state.recurrences_at is not null
                  then least(user_state.due_at, excluded.due_at)
                  else user_state.due_at end`

/** SQL for the rows of one change. The parts of an event are ordered by `place`, and by id within one change. */
function asRows(
  { type, fields, fieldsAfter = fields, row, id = `${row}.id`, ...ctes }: Change,
  place: number,
): AnySql {
  const { before, after, ifChanged } = ctes
  const start = raw(`select ${place} as place, '${type}' as type`)
  const as = (cte: string, shown: Fields) =>
    sql`(select ${raw(id)} as id, ${oneAsJsonb(shown)} as json from ${raw(cte)} ${raw(row)})`
  if (before === 'was' && after) {
    // Not a join: the generic plan expects one row on each side and would choose a nested loop.
    const rows = sql`
    ${start}, ${raw(id)} as id,
           ${oneAsJsonb(fields, `from (select (${row}.was).*) ${row}`)} as before,
           ${oneAsJsonb(fieldsAfter)} as after
      from ${raw(after)} ${raw(row)}`
    // Without `offset 0` PostgreSQL inlines the sub-select, and builds the JSON once to compare and once to return it.
    return ifChanged
      ? sql`
    select * from (${rows} offset 0) edit where before - 'updatedAt' <> after - 'updatedAt'`
      : rows
  }
  if (before && after) {
    return sql`
    ${start}, new.id, old.json as before, new.json as after
      from ${as(before, fields)} old join ${as(after, fieldsAfter)} new using (id)`
  }
  return sql`
    ${start}, one.id,
           ${raw(before ? 'one.json' : 'null::jsonb')} as before,
           ${raw(after ? 'one.json' : 'null::jsonb')} as after
      from ${before ? as(before, fields) : as(after ?? '', fieldsAfter)} one`
}

/** Sets references to a deleted record to null, which is itself a recorded change. */
export function detachReferences<Shown extends Fields, Condition extends SqlText, Given>(
  { table, name, fields, row }: Detachable<Shown>,
  reference: string,
  condition: Condition,
  alsoSet: Sql<Given> = raw(''),
) {
  const after = `detached_${table}`
  const ctes = sql`
  old_${raw(table)} as (
    select old as was, id
      from ${raw(table)} old
     where user_id = ${userId} and ${asSql(condition)}
     order by id
       for no key update
  ), ${raw(after)} as (
    update ${raw(table)} ${raw(row)}
       set ${raw(reference)} = null, ${alsoSet}${setUpdatedAt(row)}
      from old_${raw(table)} old
     where ${raw(row)}.user_id = ${userId} and ${raw(row)}.id = old.id
    returning ${raw(row)}.*, old.was
  )`
  const change = { type: `${name}.updated`, fields, row, before: 'was', after }
  return { ctes, change }
}

type Detachable<Shown> = { table: string; name: string; fields: Shown; row: string }

const append = execute(
  'events.append',
  sql`
  with counted as (
    insert into user_state (user_id, last_event) values (${userId}, 1)
    on conflict (user_id) do update
       set last_event = user_state.last_event + 1, due_at = ${raw(dueWithoutPlan)}
    returning last_event
  )
  insert into events (user_id, seq, part, type, record_id, before, after, actor)
  select ${userId}, counted.last_event, 1, ${text('type')}, ${uuid('id')}, ${jsonText.orNull('before')}, ${jsonText.orNull('after')}, ${actor}::jsonb from counted`,
)

type Told = { type: string; id: string; before?: string; after?: string }

/** Records a change made by several statements; must be the last statement of the transaction. */
export const record = (db: Db, userId: string, { type, id, before, after }: Told) =>
  append(db, { userId, type, id, before, after })
