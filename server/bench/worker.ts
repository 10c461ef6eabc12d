// npm run bench -- worker: many users with stale plans and two worker processes; measures runs per second. For
// comparison, the bare scheduler plans the same problems with as many threads, before and after.
//
// BENCH_USERS (100000) and BENCH_TASKS (5 per user) set the size; WORKER_CONCURRENCY and PLANNER_THREADS are passed on.
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Piscina } from 'piscina'
import { connect } from '../src/platform/db/database.ts'
import { loadProblem } from '../src/features/planner/problem.queries.ts'
import { seedStaleUsers } from './stale-users.ts'
import { startWorkerProcess } from './start-worker.ts'
import { withDatabase } from './with-database.ts'

const users = Number(process.env.BENCH_USERS ?? 100_000)
const tasks = Number(process.env.BENCH_TASKS ?? 5)
const processes = 2
const bareSeconds = 5

await withDatabase(async (url) => {
  await seedStaleUsers(url, users, tasks)
  print(`${users} stale users with ${tasks} tasks each\n`)
  const problems = await someProblems(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const before = await bare(problems)
  const workers = await Promise.all(
    Array.from({ length: processes }, () => startWorkerProcess(url)),
  )
  const began = performance.now()
  const usage = workers.map(({ cpuSeconds }) => cpuSeconds())
  const { length } = workers
  try {
    for (let left = users; left > 0;) {
      await sleep(left > 5000 ? 5000 : 1000)
      const { rows } = await client.query<{ left: number }>(
        'select count(*)::int as left from user_state where stale_since is not null',
      )
      left = rows[0]?.left ?? 0
      const rate = (users - left) / ((performance.now() - began) / 1000)
      print(`${users - left} planned, ${rate.toFixed(0)}/s\n`)
    }
    const seconds = (performance.now() - began) / 1000
    const runs = await countRows('select count(*)::int as count from planner_runs')
    const doubled = runs - users
    const cpu = workers.reduce((sum, w, i) => sum + w.cpuSeconds() - (usage[i] ?? 0), 0)
    await Promise.all(workers.map((worker) => worker.stop()))
    const after = await bare(problems)
    const bareRate = (before.rate + after.rate) / 2
    const bareCpuMs = (before.cpuMs + after.cpuMs) / 2
    const rate = users / seconds
    print(
      `\n${length} workers: ${rate.toFixed(0)} runs/s (${seconds.toFixed(0)} s, ${doubled} more runs than users, ` +
        `${((cpu / seconds) * 100).toFixed(0)} % CPU, ${((cpu / users) * 1000).toFixed(2)} ms a run)\n` +
        `bare scheduler, ${threads()} threads: ${bareRate.toFixed(0)} plans/s ` +
        `(${before.rate.toFixed(0)} before, ${after.rate.toFixed(0)} after), ` +
        `${bareCpuMs.toFixed(2)} ms CPU a plan\n` +
        `share: ${((rate / bareRate) * 100).toFixed(1)} %\n`,
    )
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await client.end()
  }

  async function countRows(query: string) {
    const { rows } = await client.query<{ count: number }>(query)
    return rows[0]?.count ?? 0
  }
})

/** Loads the problems of up to 1000 users as a planner run does. */
async function someProblems(url: string) {
  const db = connect(url)
  const { rows } = await db.pool.query<{ id: string }>(
    'select id from users order by id limit 1000',
  )
  const problems = []
  for (const { id } of rows) problems.push((await loadProblem(db, id, new Date())).problem)
  await db.end()
  return problems
}

async function bare(problems: string[]) {
  const pool = new Piscina<unknown, { rate: number; cpuMs: number }>({
    filename: new URL('./bare-scheduler.ts', import.meta.url).href,
    minThreads: threads(),
    maxThreads: threads(),
  })
  const task = { problems, seconds: bareSeconds }
  const rates = await Promise.all(Array.from({ length: threads() }, () => pool.run(task)))
  await pool.destroy()
  return {
    rate: rates.reduce((sum, { rate }) => sum + rate, 0),
    cpuMs: rates.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / rates.length,
  }
}

/** As many threads as the workers use, but no more than there are processors. */
function threads() {
  return Math.min(cpus().length, processes * Number(process.env.PLANNER_THREADS ?? 2))
}

function print(text: string) {
  process.stdout.write(text)
}
