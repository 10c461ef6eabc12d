import type { Query } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Refusal } from '../../data/api.ts'
import { cache } from '../../data/query-client.ts'
import { useConnection } from '../../data/online.ts'

/** Whether a query that this page needs failed to load. A refusal (4xx) is final and does not count. */
const isUnread = (query: Query) =>
  query.isActive() &&
  query.state.status === 'error' &&
  query.state.data === undefined &&
  !(query.state.error instanceof Refusal && query.state.error.status < 500)

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
      className="flex min-h-8 flex-none items-center justify-center gap-2 border-b bg-sunken px-3 text-xs text-ink-2"
    >
      <span>Part of this page could not be loaded.</span>
      <button
        type="button"
        className="h-6 px-1 font-medium text-ink underline"
        onClick={() => void cache.refetchQueries({ predicate: isUnread })}
      >
        Try again
      </button>
    </div>
  )
}
