import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { PlannerResult } from '@daywright/contract'
import type { Plan } from '@daywright/scheduler'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { sql, userId, uuid } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { changesOf, type PlannerInput } from './plan-changes.ts'
import { changePlan } from './write-plan.queries.ts'
import { loadProblem } from './problem.queries.ts'
import { markApplied } from './runs.queries.ts'

const unzip = promisify(gunzip)
const fiveMinutes = 300_000

const find = queryRows<{
  state: string
  planned_at: Date
  from_scratch: boolean
  input_hash: string
  plan: Buffer | null
  result: PlannerResult
}>()(
  'planner-runs.find-to-apply',
  sql`
  select state, planned_at, from_scratch, encode(input_hash, 'hex') as input_hash, plan,
         summary -> 'result' as result
    from planner_runs
   where user_id = ${userId} and id = ${uuid('runId')}`,
)

/** Applies a previewed plan if none of its inputs has changed since. */
export const applyRun = (db: Db, userId: string, runId: string, now: Date) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const [run] = await find(transaction, { userId, runId })
    if (!run) throw notFound('Planner run not found')
    if (run.state !== 'preview') throw conflict('This run has already been applied')
    const { problem, lastEvent } = await loadProblem(transaction, userId, run.planned_at, {
      fromScratch: run.from_scratch,
    })
    const hash = createHash('sha256').update(problem).digest('hex')
    if (!run.plan || hash !== run.input_hash) throw outOfDate()
    const plan = JSON.parse((await unzip(run.plan)).toString()) as Plan
    if (!isStillAhead(plan, now)) throw outOfDate()
    const changes = changesOf(plan, JSON.parse(problem) as PlannerInput)
    const changed = await changePlan(transaction, userId, runId, changes, now)
    await markApplied(transaction, userId, runId, { ...changed, lastEvent }, now)
    return run.result
  })

const outOfDate = () => conflict('The data has changed since this preview: preview again')

/** Time is an input, too: a block that would already have begun can no longer be planned. */
const isStillAhead = ({ create }: Plan, now: Date) =>
  create.every(({ startAt }) => startAt >= Math.ceil(now.getTime() / fiveMinutes) * fiveMinutes)
