import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FullPlannerRun, PlannerRun, PlannerRuns } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { iso, many, object, one } from '../../platform/db/fragments.ts'
import {
  bigint,
  boolean,
  bytes,
  json,
  sql,
  text,
  timestamp,
  userId,
  uuid,
  uuids,
} from '../../platform/db/sql.ts'
import { execute, type Json, queryJson, queryRows } from '../../platform/db/statement.ts'
import { notFound } from '../../platform/errors.ts'
import type { Solved } from './plan-worker.ts'

const unzip = promisify(gunzip)
const runNotFound = () => notFound('Planner run not found')

/** A run's JSON fields, as SQL over its row `run`. */
const run = {
  id: 'run.id',
  state: 'run.state',
  plannedAt: iso('run.planned_at'),
  version: 'run.version',
  inputHash: `encode(run.input_hash, 'hex')`,
  cost: `run.summary -> 'cost'`,
  bound: `run.summary -> 'bound'`,
  gap: `run.summary -> 'gap'`,
  result: `run.summary -> 'result'`,
}

const { id, state, plannedAt, result } = run
const fields = { id, state, plannedAt, result }

/** A run is one event that names the blocks it created and cancelled. */
const applied = {
  type: 'plannerRun.applied',
  fields: {
    ...fields,
    createdBlockIds: sql`${uuids.orNull('created')}::uuid[]`,
    cancelledBlockIds: sql`${uuids.orNull('cancelled')}::uuid[]`,
  },
  row: 'run',
}

/** The undo of a run is one event as well. */
const undone = {
  type: 'plannerRun.undone',
  fields,
  fieldsAfter: {
    ...fields,
    restoredBlockIds: sql`${uuids('restored')}::uuid[]`,
    cancelledBlockIds: sql`${uuids('cancelled')}::uuid[]`,
  },
  row: 'run',
}

const list = queryJson<PlannerRuns>()(
  'planner-runs.list',
  sql`
  select ${object({
    runs: many(
      run,
      sql`from planner_runs run
      where run.user_id = ${userId}
      order by run.created_at desc, run.id desc
      limit 50`,
    ),
  })}::text as json`,
)

const find = queryRows<{ json: Json<PlannerRun>; detail: Buffer }>()(
  'planner-runs.find',
  sql`
  select ${one(run)}::text as json, run.detail
    from planner_runs run
   where run.user_id = ${userId} and run.id = ${uuid('id')}`,
)

const lastEvent = bigint.orNull('lastEvent')
const planned = { planned: sql`${lastEvent}::bigint`, look: true }

// A preview changes nothing, and appends no event. After a run the worker looks up which block ends next.
const insert = execute(
  'planner-runs.insert',
  sql`
  with run as (
    insert into planner_runs (user_id, id, state, planned_at, input_hash, input, plan, detail,
                              version, summary, last_event, from_scratch)
    values (${userId}, ${uuid('id')}, ${text('state')}, ${timestamp('now')}, ${bytes('inputHash')},
            ${bytes('input')}, ${bytes('plan')}, ${bytes('detail')}, ${text('version')},
            ${json('summary')}, ${lastEvent}, ${boolean('fromScratch')})
    returning *
  ), ${appendEvents([{ ...applied, after: `(select * from run where state = 'applied')` }], planned)}
  select id from run`,
)

const apply = execute(
  'planner-runs.apply',
  // `created_at` becomes the time of applying, so that this is the last run, which can be undone.
  sql`
  with run as (
    update planner_runs
       set state = 'applied', created_at = ${timestamp('now')}, last_event = ${lastEvent}
     where user_id = ${userId} and id = ${uuid('id')}
    returning *
  ), ${appendEvents([{ ...applied, after: 'run' }], planned)}
  select id from run`,
)

const undo = execute(
  'planner-runs.undo',
  sql`
  with old as (
    select * from planner_runs where user_id = ${userId} and id = ${uuid('id')}
  ), run as (
    update planner_runs set state = 'undone' where user_id = ${userId} and id = ${uuid('id')} returning *
  ), ${appendEvents([{ ...undone, before: 'old', after: 'run' }], { look: true })}
  select id from run`,
)

// Called before an insert, after which a hundred runs are kept, the last five of them with the data for a replay.
const trim = execute(
  'planner-runs.trim',
  sql`
  with aged as (
    select id, row_number() over (order by created_at desc, id desc) as age
      from planner_runs
     where user_id = ${userId}
  ), lightened as (
    update planner_runs set input = null, plan = null
     where user_id = ${userId} and input is not null
       and id in (select id from aged where age > 4 and age < 100)
  )
  delete from planner_runs
   where user_id = ${userId} and id in (select id from aged where age >= 100)`,
)

export const listRuns = (db: Db, userId: string) => list(db, { userId })

/** A run with its changes to the calendar, and the reasons. */
export async function findRun(db: Db, userId: string, id: string) {
  const [found] = await find(db, { userId, id })
  if (!found) throw runNotFound()
  const detail = withCurrentNames((await unzip(found.detail)).toString())
  // Joins two JSON objects without parsing them.
  const joined: Json<FullPlannerRun> = `${found.json.slice(0, -1)},${detail.slice(1)}`
  return joined
}

/** Renames the lists of blocks of a run that was stored by planner version 3 or earlier. */
function withCurrentNames(detail: string): string {
  if (!detail.startsWith('{"blocks":{"stay":')) return detail
  const { blocks, ...rest } = JSON.parse(detail) as { blocks: Record<string, unknown> }
  const { stay, move, appear, go } = blocks
  return JSON.stringify({
    blocks: { unchanged: stay, moved: move, added: appear, removed: go },
    ...rest,
  })
}

/** A run's changes to the calendar, and the last event that its plan includes. */
export type Applied = { created: string[]; cancelled: string[]; lastEvent: number }

/** Inserts a run; without `done`, a preview. */
export async function insertRun(
  db: Db,
  userId: string,
  id: string,
  solved: Solved,
  now: Date,
  done?: Applied,
) {
  await trim(db, { userId })
  await insert(db, {
    ...solved,
    userId,
    id,
    state: done ? 'applied' : 'preview',
    now,
    inputHash: Buffer.from(solved.inputHash, 'hex'),
    input: Buffer.from(solved.input),
    plan: Buffer.from(solved.plan),
    detail: Buffer.from(solved.detail),
    created: done?.created,
    cancelled: done?.cancelled,
    lastEvent: done?.lastEvent,
  })
}

/** Marks a preview as applied. */
export const markApplied = (db: Db, userId: string, id: string, done: Applied, now: Date) =>
  apply(db, { ...done, userId, id, now })

type Undone = { restored: string[]; cancelled: string[] }

export const markUndone = (db: Db, userId: string, id: string, blocks: Undone) =>
  undo(db, { ...blocks, userId, id })
