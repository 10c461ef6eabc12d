import { useZone } from '../../data/profile.ts'
import { CloudOff } from 'lucide-react'
import { cache } from '../../data/query-client.ts'
import { keys } from '../../data/keys.ts'
import { useConnection } from '../../data/online.ts'
import { now } from '../../time/clock.ts'
import { formatWhenInText } from '../../time/format.ts'

/** Shows that there is no connection, and how old the data is. */
export function OfflineBar() {
  const connection = useConnection()
  const zone = useZone()
  if (connection === 'there') return null
  const asOf = Math.max(
    0,
    ...cache
      .getQueryCache()
      .findAll({
        predicate: ({ queryKey }) => [keys.blocks[0], keys.tasks[0]].includes(queryKey[0] as never),
      })
      .map(({ state }) => state.dataUpdatedAt),
  )
  return (
    <div
      role="status"
      className="flex min-h-8 flex-none items-center justify-center gap-2 border-b bg-sunken px-3 text-xs text-ink-2"
    >
      <CloudOff size={14} aria-hidden="true" />
      <span>
        {connection === 'no network' ? 'Offline.' : 'Can’t reach the server.'}
        {asOf > 0 && ` Showing data from ${formatWhenInText(new Date(asOf), zone, now())}.`} You
        can’t make changes offline.
      </span>
    </div>
  )
}
