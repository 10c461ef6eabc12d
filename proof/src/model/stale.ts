import type { Scene } from './call.ts'
import { Divergence } from './compare.ts'

/** After a change that the plan depends on. The worker does not run here, so only the mark is compared. */
export async function expectStale({ world, me }: Scene, operation: string) {
  const { rows } = await world.db.query<{ stale: boolean }>(
    'select stale_since is not null as stale from agendas where user_id = $1',
    [me.id],
  )
  if (!rows[0]?.stale) throw new Divergence(`${operation}: the plan is not stale after it`)
}
