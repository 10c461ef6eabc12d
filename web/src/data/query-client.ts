import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refusal } from './api.ts'
import { isTemporary } from './is-temporary.ts'

let onSignedOut = () => {}
/** Sets the handler for 401 responses. */
export const onUnauthorized = (then: () => void) => {
  onSignedOut = then
}

export function handleUnauthorized(error: unknown) {
  if (error instanceof Refusal && error.status === 401) onSignedOut()
}

// Notify components in a microtask, so that a ticked box does not look unticked for a moment.
notifyManager.setScheduler(queueMicrotask)

/** How soon data that could not be loaded is asked for again, while it is needed. */
export const retryMs = 5000

/** All server state. Live events keep it fresh; components that mount after five minutes also fetch it again. */
export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: handleUnauthorized }),
  mutationCache: new MutationCache({ onError: handleUnauthorized }),
  defaultOptions: {
    queries: {
      staleTime: 5 * 60_000,
      gcTime: 24 * 3_600_000,
      // While offline, the last data is shown, and it is fetched again once online.
      networkMode: 'offlineFirst',
      // The API client retries requests where that can help.
      retry: false,
      refetchOnWindowFocus: false,
      refetchInterval: ({ state }) =>
        state.status === 'error' && isTemporary(state.error) && retryMs,
    },
    // `perform` refuses changes while the browser is offline.
    mutations: { networkMode: 'always', retry: false },
  },
})
