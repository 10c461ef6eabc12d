// Optimistic updates: the expected result is written into the cache before the service answers.
import type { QueryKey } from '@tanstack/react-query'
import { cache } from './query-client.ts'
import { isOutdated, refresh } from './refresh.ts'

export type Expect = {
  /** Changes the data of every cached query whose key begins with this one. */
  update: <Data>(key: QueryKey, change: (data: Data) => Data) => void
}

/** Applies the optimistic update, and returns its rollback. */
export function applyOptimisticUpdate(expectation: ((expect: Expect) => void) | undefined) {
  const before = new Map<string, { key: QueryKey; was: unknown; is: unknown }>()
  expectation?.({
    update(key, change) {
      for (const query of cache.getQueryCache().findAll({ queryKey: key })) {
        const was = query.state.data
        if (was === undefined) continue
        // A running fetch may have been answered before the change, so it is repeated.
        if (isOutdated(query)) refresh(query.queryKey)
        void query.cancel({ revert: true })
        cache.setQueryData(query.queryKey, change(was as never))
        // setQueryData applies structural sharing; re-read for the identity check.
        const is = query.state.data
        const known = before.get(query.queryHash)
        before.set(query.queryHash, { key: query.queryKey, was: known ? known.was : was, is })
      }
    },
  })
  return {
    touched: [...before.values()].map(({ key }) => key),
    /** Restores the previous data. A query whose data has changed since is fetched again instead. */
    rollback() {
      for (const { key, was, is } of before.values()) {
        if (cache.getQueryData(key) === is) cache.setQueryData(key, was)
        else void cache.invalidateQueries({ queryKey: key })
      }
    },
  }
}
