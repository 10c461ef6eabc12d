import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Solve } from '../planner/solve.ts'
import { deliver } from '../webhooks/deliver.ts'
import { postOutside } from '../webhooks/post.ts'
import { attend } from './attend.ts'
import { type Log, startEngine } from './engine.ts'
import type { Queue } from './queue.ts'

export type Worker = Awaited<ReturnType<typeof startWorker>>

/** All that Daywright does by itself. Any number of these may run, in any process. */
export async function startWorker(options: {
  db: Database
  queue: Queue
  now: () => Date
  solve: Solve
  config: Config
  metrics: Metrics
  log: Log
}) {
  const { db, queue, now, solve, config, metrics, log } = options
  const allowPrivate = config.WEBHOOK_PRIVATE_ADDRESSES === 'allow'
  const { post, close } = postOutside({ allowPrivate })
  const retrySeconds = config.WEBHOOK_RETRY_SECONDS
  // In one line: somebody's slow receivers hold up nobody else.
  const callDeliverer = (userId: string, webhookIds: string[]) =>
    queue.add(
      'deliver',
      webhookIds.map((id) => `${userId}/${id}`),
      userId,
    )
  const onRun = (startedAt: Date, error?: unknown) => {
    if (error) metrics.countFailure()
    else metrics.observeRun((now().getTime() - startedAt.getTime()) / 1000)
  }
  const engine = await startEngine({
    db,
    queue,
    now,
    concurrency: config.WORKER_CONCURRENCY,
    tasks: {
      attend: (userId) => attend({ db, now, solve, callDeliverer, onRun }, userId),
      deliver(key) {
        const [userId = '', webhookId = ''] = key.split('/')
        return deliver(
          { db: db.as({ kind: 'system' }), now, post, retrySeconds },
          userId,
          webhookId,
        )
      },
    },
    log,
  })
  return {
    async stop() {
      await engine.stop()
      close()
    },
  }
}
