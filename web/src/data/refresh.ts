// Batches refetches: one for many events, and none while an action is running, because it would overwrite the
// optimistic update.
import type { Query, QueryKey } from '@tanstack/react-query'
import { cache } from './query-client.ts'

const gatherMs = 60
let underWay = 0
let timer: ReturnType<typeof setTimeout> | undefined
const resting: (() => void)[] = []
const waiting = new Map<string, QueryKey>()

export function refresh(...queryKeys: QueryKey[]) {
  for (const key of queryKeys) waiting.set(JSON.stringify(key), key)
  schedule()
}

/** Whether the query is invalidated or being fetched. */
export const isOutdated = ({ state }: Pick<Query, 'state'>) =>
  state.isInvalidated || state.fetchStatus !== 'idle'

export function beginAction() {
  underWay += 1
}
export function endAction() {
  underWay -= 1
  schedule()
  if (underWay === 0) for (const resume of resting.splice(0)) resume()
}

/** Resolves when no action is running. */
export const whenIdle = () =>
  new Promise<void>((resolve) => (underWay === 0 ? resolve() : resting.push(resolve)))

function schedule() {
  if (timer !== undefined || underWay > 0 || waiting.size === 0) return
  timer = setTimeout(() => {
    timer = undefined
    if (underWay > 0) return
    const due = [...waiting.values()]
    waiting.clear()
    for (const queryKey of due) {
      // An invalidation does not repeat a running first fetch, which may return data from before this call.
      for (const { state, promise } of cache.getQueryCache().findAll({ queryKey })) {
        if (state.data !== undefined || state.fetchStatus === 'idle') continue
        void promise?.then(() => refresh(queryKey)).catch(() => {})
      }
      void cache.invalidateQueries({ queryKey })
    }
  }, gatherMs)
}
