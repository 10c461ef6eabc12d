// What an action expects to be true once the service has agreed, put into the cache beforehand.
import type { QueryKey } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { isOutdated, refresh } from './refresh.ts'

export type Expect = {
  /** Changes every kept answer whose key begins with this one. */
  update: <Data>(key: QueryKey, change: (data: Data) => Data) => void
}

/** Runs the expectation, and gives back the way to take it away again. */
export function foresee(expectation: ((expect: Expect) => void) | undefined) {
  const before = new Map<string, { key: QueryKey; was: unknown; is: unknown }>()
  expectation?.({
    update(key, change) {
      for (const query of cache.getQueryCache().findAll({ queryKey: key })) {
        const was = query.state.data
        if (was === undefined) continue
        // An answer that is under way was given before the change: it is asked for anew.
        if (isOutdated(query)) refresh(query.queryKey)
        void query.cancel({ revert: true })
        cache.setQueryData(query.queryKey, change(was as never))
        // What is kept shares with what was, and so is another object than what was given.
        const is = query.state.data
        const known = before.get(query.queryHash)
        before.set(query.queryHash, { key: query.queryKey, was: known ? known.was : was, is })
      }
    },
  })
  return {
    touched: [...before.values()].map(({ key }) => key),
    /** Where something else has changed it since, only the service knows: it is asked. */
    takeBack() {
      for (const { key, was, is } of before.values()) {
        if (cache.getQueryData(key) === is) cache.setQueryData(key, was)
        else void cache.invalidateQueries({ queryKey: key })
      }
    },
  }
}
