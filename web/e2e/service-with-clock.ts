import { readConfig } from '../../server/src/config.ts'
import { startReading } from '../../server/src/features/calendars/start-reading.ts'
import { solveInThreads } from '../../server/src/features/planner/solve.ts'
import { connectQueue } from '../../server/src/jobs/queue.ts'
import { startWorker } from '../../server/src/jobs/worker.ts'
import { connect } from '../../server/src/platform/db/database.ts'
import { testApp } from '../../server/test/test-app.ts'

/** PostgreSQL keeps the real time, and the passed clock may be this far ahead of it. */
const lateMs = 40 * 86_400_000

/** Starts the service and its worker in this process, where their clock can be passed as an argument. */
export async function startService(databaseUrl: string, now: () => Date) {
  const db = connect(databaseUrl)
  const queue = connectQueue(databaseUrl, 5)
  await queue.migrate()
  const { solve, stop: stopThreads } = solveInThreads(1)
  const app = await testApp(db, now, {}, solve)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const { metrics, log } = app
  const reading = startReading({ now, log: () => {} })
  const start = () =>
    startWorker({ db, queue, now, solve, config: readConfig({}), metrics, reading, lateMs, log })
  let worker = await start()
  return {
    origin,
    /** Stops the worker, does the work, and starts the worker again. */
    pauseWorker: async (work: () => void) => {
      await worker.stop()
      work()
      worker = await start()
    },
    async stop() {
      await worker.stop()
      await app.close()
      await stopThreads()
      reading.stop()
      await queue.end()
      await db.end()
    },
  }
}
