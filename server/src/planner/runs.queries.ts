import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FullPlannerRun, PlannerRun, PlannerRuns } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { recording } from '../db/recording.ts'
import { answering, type Json, many, object, one, selecting } from '../db/statement.ts'
import { notFound } from '../errors.ts'
import type { Solved } from './plan-worker.ts'
import { applied, run, undone } from './run-json.ts'

const unzip = promisify(gunzip)
const runNotFound = () => notFound('Planner run not found')

const list = answering<PlannerRuns>(
  'planner-runs.list',
  `
  select ${object({
    runs: many(
      run,
      `from planner_runs run
      where run.user_id = $1
      order by run.created_at desc, run.id desc
      limit 50`,
    ),
  })}::text as json`,
)

const find = selecting<{ json: Json<PlannerRun>; detail: Buffer }>(
  'planner-runs.find',
  `
  select ${one(run)}::text as json, run.detail
    from planner_runs run
   where run.user_id = $1 and run.id = $2`,
)

// A preview changes nothing, and appends no event.
const insert = selecting(
  'planner-runs.insert',
  `
  with run as (
    insert into planner_runs (user_id, id, state, planned_at, input_hash, input, plan, detail,
                              version, summary)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    returning *
  ), ${recording(
    [{ ...applied('$11', '$12'), after: `(select * from run where state = 'applied')` }],
    { planned: '$13::bigint' },
  )}
  select id from run`,
)

const apply = selecting(
  'planner-runs.apply',
  // Applied now, so it is the last run and can be undone.
  `
  with run as (
    update planner_runs
       set state = 'applied', created_at = $3
     where user_id = $1 and id = $2
    returning *
  ), ${recording([{ ...applied('$4', '$5'), after: 'run' }], { planned: '$6::bigint' })}
  select id from run`,
)

const undo = selecting(
  'planner-runs.undo',
  `
  with old as (
    select * from planner_runs where user_id = $1 and id = $2
  ), run as (
    update planner_runs set state = 'undone' where user_id = $1 and id = $2 returning *
  ), ${recording([{ ...undone('$3', '$4'), before: 'old', after: 'run' }])}
  select id from run`,
)

// Before an insert: keeps the last hundred, and the input to replay the last five.
const trim = selecting(
  'planner-runs.trim',
  `
  with aged as (
    select id, row_number() over (order by created_at desc, id desc) as age
      from planner_runs
     where user_id = $1
  ), lightened as (
    update planner_runs set input = null, plan = null
     where user_id = $1 and input is not null
       and id in (select id from aged where age > 4 and age < 100)
  )
  delete from planner_runs
   where user_id = $1 and id in (select id from aged where age >= 100)`,
)

export const listRuns = (db: Db, userId: string) => list(db, userId)

/** A run with its changes to the calendar, and the reasons. */
export async function findRun(db: Db, userId: string, id: string) {
  const [found] = await find(db, userId, id)
  if (!found) throw runNotFound()
  const detail = (await unzip(found.detail)).toString()
  // Joins two JSON objects without parsing them.
  const joined: Json<FullPlannerRun> = `${found.json.slice(0, -1)},${detail.slice(1)}`
  return joined
}

/** A run's changes to the calendar, and the last event that its plan includes. */
export type Applied = { created: string[]; cancelled: string[]; lastEvent: number }

/** Inserts a run, or without `done` a preview. */
export async function insertRun(
  db: Db,
  userId: string,
  id: string,
  solved: Solved,
  now: Date,
  done?: Applied,
) {
  const { inputHash, input, plan, detail, version, summary } = solved
  await trim(db, userId)
  await insert(
    db,
    userId,
    id,
    done ? 'applied' : 'preview',
    now.toISOString(),
    Buffer.from(inputHash, 'hex'),
    Buffer.from(input),
    Buffer.from(plan),
    Buffer.from(detail),
    version,
    JSON.stringify(summary),
    done?.created,
    done?.cancelled,
    done?.lastEvent,
  )
}

/** Marks a preview as applied. */
export const markApplied = (db: Db, userId: string, id: string, done: Applied, now: Date) =>
  apply(db, userId, id, now.toISOString(), done.created, done.cancelled, done.lastEvent)

export const markUndone = (
  db: Db,
  userId: string,
  id: string,
  { restored, cancelled }: { restored: string[]; cancelled: string[] },
) => undo(db, userId, id, restored, cancelled)
