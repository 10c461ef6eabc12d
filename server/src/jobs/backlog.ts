// How long due work has waited. The API reports the backlog as well, so that it is visible when no worker runs.
import type { Database } from '../platform/db/database.ts'
import type { Queue } from './queue.ts'

// For the operator's metrics, across all users, so it is not a registered statement of one user.
const waiting = `
  select coalesce(extract(epoch from now() -
           (select min(due_at) from user_state where due_at <= now())), 0)::float as due,
         coalesce(extract(epoch from now() -
           (select min(event.at)
              from webhooks webhook
              join user_state
                on user_state.user_id = webhook.user_id and user_state.last_event > webhook.seq
             cross join lateral (select event.at
                                   from events event
                                  where event.user_id = webhook.user_id
                                    and (event.seq, event.part) > (webhook.seq, webhook.part)
                                  order by event.seq, event.part
                                  limit 1) event
             where webhook.disabled_at is null)), 0)::float as unsent`

export type Backlog = {
  waiting: number
  oldest: number
  parked: number
  workers: number
  due: number
  unsent: number
}

/** Measures the backlog. A value that cannot be read is NaN: an unreachable queue must not hide the others. */
export async function measureBacklog(db: Database, queue: Queue): Promise<Backlog> {
  const [depth, workers, late] = await Promise.all([
    queue.depth().catch(() => ({ waiting: NaN, oldest: NaN, parked: NaN })),
    queue.countAlive().catch(() => NaN),
    db
      .query<{ due: number; unsent: number }>(waiting)
      .then(({ rows }) => rows[0])
      .catch(() => undefined),
  ])
  return { ...depth, workers, due: late?.due ?? NaN, unsent: late?.unsent ?? NaN }
}
