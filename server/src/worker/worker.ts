import { sealWith } from '../auth/seal.ts'
import { instanceSecret } from '../auth/secret.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Solve } from '../planner/solve.ts'
import { deliver } from '../webhooks/deliver.ts'
import { postOutside } from '../webhooks/post.ts'
import { receiverAddresses } from '../webhooks/receiver-addresses.ts'
import { nameResolver } from '../webhooks/resolve-name.ts'
import { sealPlainSecrets } from '../webhooks/seal-secrets.ts'
import { attend } from './attend.ts'
import { type Log, startEngine } from './engine.ts'
import type { Queue } from './queue.ts'

export type Worker = Awaited<ReturnType<typeof startWorker>>

/** Runs all background work. Any number of workers may run, in any process. */
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
  const addresses = receiverAddresses(config.WEBHOOK_PRIVATE_ADDRESSES, config.PUBLIC_URL)
  const { post, close } = postOutside(addresses, nameResolver(now))
  const seal = sealWith(instanceSecret(db, config.AUTH_SECRET))
  await sealPlainSecrets(db, seal)
  const retrySeconds = config.WEBHOOK_RETRY_SECONDS
  // One delivery at a time per user, so slow receivers of one user do not delay others.
  const enqueueDeliveries = (userId: string, webhookIds: string[]) =>
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
    // Deliveries mostly wait for receivers and hold a connection only briefly.
    concurrency: (task) =>
      task === 'deliver' ? config.WEBHOOK_CONCURRENCY : config.WORKER_CONCURRENCY,
    tasks: {
      attend: (userId) => attend({ db, now, solve, enqueueDeliveries, onRun }, userId),
      deliver(key) {
        const [userId = '', webhookId = ''] = key.split('/')
        return deliver(
          { db: db.as({ kind: 'system' }), now, post, seal, retrySeconds },
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
