import type { Query } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isTemporary } from '../../data/is-temporary.ts'
import { cache } from '../../data/query-client.ts'
import { useConnection } from '../../data/online.ts'

/** Whether a query that this page needs failed to load, and is tried again. */
const isUnread = (query: Query) =>
  query.isActive() &&
  query.state.status === 'error' &&
  query.state.data === undefined &&
  isTemporary(query.state.error)

const subscribe = (listener: () => void) => cache.getQueryCache().subscribe(listener)
const hasUnread = () => cache.getQueryCache().getAll().some(isUnread)

/** Says that part of the page failed to load, so that the page does not look empty. */
export function UnreadBar() {
  const connection = useConnection()
  const isShown = useSyncExternalStore(subscribe, hasUnread)
  if (!isShown || connection !== 'there') return null
  return (
    <div
      role="status"
      className="flex min-h-8 flex-none items-center justify-center border-b bg-sunken px-3 text-xs text-ink-2"
    >
      Part of this page could not be loaded. Trying again…
    </div>
  )
}
