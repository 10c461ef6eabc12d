import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refusal } from './api.ts'

let onSignedOut = () => {}
/** What to do when the service no longer knows who is calling. */
export const whenSignedOut = (then: () => void) => {
  onSignedOut = then
}

export function noticeSignedOut(error: unknown) {
  if (error instanceof Refusal && error.status === 401) onSignedOut()
}

// What is expected shows at once: a box that is ticked must not look unticked for a moment.
notifyManager.setScheduler(queueMicrotask)

/** Everything the app knows of the service. Live events keep it fresh, not the passing of time. */
export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 5 * 60_000,
      gcTime: 24 * 3_600_000,
      // Without a network the last answer is shown, and asked for again when there is one.
      networkMode: 'offlineFirst',
      // The client itself tries again where that can help.
      retry: false,
      refetchOnWindowFocus: false,
    },
  },
})
