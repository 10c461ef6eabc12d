import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { PlannerResult } from '@daywright/contract'
import type { Plan, Problem } from '@daywright/scheduler'
import type { Db } from '../db/database.ts'
import { lockUser } from '../db/lock-user.ts'
import { selecting } from '../db/statement.ts'
import { conflict, notFound } from '../errors.ts'
import { changePlan } from './change-plan.queries.ts'
import { loadProblem } from './problem.queries.ts'
import { markApplied } from './runs.queries.ts'
import { titledBlocks } from './titled-blocks.ts'

const unzip = promisify(gunzip)
const fiveMinutes = 300_000

const find = selecting<{
  state: string
  planned_at: Date
  input_hash: string
  plan: Buffer | null
  result: PlannerResult
}>(
  'planner-runs.find-to-apply',
  `
  select state, planned_at, encode(input_hash, 'hex') as input_hash, plan,
         summary -> 'result' as result
    from planner_runs
   where user_id = $1 and id = $2`,
)

/** Applies a previewed plan if none of its inputs has changed since. */
export const applyRun = (db: Db, userId: string, runId: string, now: Date) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const [run] = await find(transaction, userId, runId)
    if (!run) throw notFound('Planner run not found')
    if (run.state !== 'preview') throw conflict('This run was applied already')
    const { problem, last_event: lastEvent } = await loadProblem(
      transaction,
      userId,
      run.planned_at,
    )
    const hash = createHash('sha256').update(problem).digest('hex')
    if (!run.plan || hash !== run.input_hash) throw outOfDate()
    const plan = JSON.parse((await unzip(run.plan)).toString()) as Plan
    if (!isStillAhead(plan, now)) throw outOfDate()
    const create = titledBlocks(plan.create, JSON.parse(problem) as Problem)
    const changes = { runId, cancel: plan.cancel, create }
    const changed = await changePlan(transaction, userId, changes, now)
    await markApplied(transaction, userId, runId, { ...changed, lastEvent }, now)
    return run.result
  })

const outOfDate = () => conflict('The data has changed since this preview: preview again')

/** Time is an input, too: a block that would already have begun can no longer be planned. */
const isStillAhead = ({ create }: Plan, now: Date) =>
  create.every(({ startAt }) => startAt >= Math.ceil(now.getTime() / fiveMinutes) * fiveMinutes)
