import type { Scene } from './call.ts'
import { Divergence } from './compare.ts'

/** Checks that a change has marked the plan as stale. No worker runs here, so the plan itself stays as it is. */
export async function expectStale({ world, me }: Scene, operation: string) {
  const { rows } = await world.db.query<{ stale: boolean }>(
    'select stale_since is not null as stale from user_state where user_id = $1',
    [me.id],
  )
  if (!rows[0]?.stale) throw new Divergence(`${operation}: the plan is not stale after it`)
}
