import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FullPlannerRun, PlannerRun, PlannerRuns } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { answering, iso, type Json, many, object, one, selecting } from '../db/statement.ts'
import { notFound } from '../errors.ts'
import type { Solved } from './plan-worker.ts'

const unzip = promisify(gunzip)
const runNotFound = () => notFound('Planner run not found')

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

const insert = selecting(
  'planner-runs.insert',
  `
  insert into planner_runs (user_id, id, state, planned_at, input_hash, input, plan, detail, version,
                            summary)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

// The last hundred are kept, the last five with what is needed to replay them.
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
       and id in (select id from aged where age > 5 and age <= 100)
  )
  delete from planner_runs
   where user_id = $1 and id in (select id from aged where age > 100)`,
)

export const listRuns = (db: Db, userId: string) => list(db, userId)

/** A run with what it does to the calendar, and why. */
export async function findRun(db: Db, userId: string, id: string) {
  const [found] = await find(db, userId, id)
  if (!found) throw runNotFound()
  const detail = (await unzip(found.detail)).toString()
  // Two JSON objects become one without being read.
  const joined: Json<FullPlannerRun> = `${found.json.slice(0, -1)},${detail.slice(1)}`
  return joined
}

export async function insertRun(
  db: Db,
  userId: string,
  id: string,
  state: 'preview' | 'applied',
  solved: Solved,
  now: Date,
) {
  const { inputHash, input, plan, detail, version, summary } = solved
  await insert(
    db,
    userId,
    id,
    state,
    now.toISOString(),
    Buffer.from(inputHash, 'hex'),
    Buffer.from(input),
    Buffer.from(plan),
    Buffer.from(detail),
    version,
    JSON.stringify(summary),
  )
  await trim(db, userId)
}
