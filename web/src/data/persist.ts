// Persists the cache in IndexedDB per user, so that the app shows the last data at once, also offline.
import {
  persistQueryClientRestore,
  persistQueryClientSubscribe,
} from '@tanstack/query-persist-client-core'
import type { PersistedClient, Persister } from '@tanstack/query-persist-client-core'
import { clear, get, set } from 'idb-keyval'
import { cache } from './query-client.ts'

const userKey = 'daywright.user'
// Change this when the shape of the data changes: data persisted with another value is discarded.
const buster = '2'
const keptMs = 30 * 86_400_000
const everyMs = 1000

/** Queries that are not persisted, such as secrets, data of other users and full texts. */
const unkept = new Set([
  'signUpState',
  'documentTexts',
  'recurrencePreview',
  'apiKeys',
  'feeds',
  'planCalendars',
  'connectedAccounts',
  'sessions',
  'webhooks',
  'accounts',
  'usageOf',
  'jobs',
  'history',
])

const signedInAs = () => localStorage.getItem(userKey)

/** Whether a user has signed in with this browser and not signed out. */
export const isUserKnown = () => signedInAs() !== null

/** Set at sign-in: on a shared computer nothing is persisted. */
const sharedKey = 'daywright.shared'
export const isSharedComputer = () => localStorage.getItem(sharedKey) !== null
export function setSharedComputer(isShared: boolean) {
  if (isShared) localStorage.setItem(sharedKey, 'yes')
  else localStorage.removeItem(sharedKey)
}

let timer: ReturnType<typeof setTimeout> | undefined

function persisterOf(userId: string): Persister {
  const name = `cache:${userId}`
  return {
    persistClient(client) {
      clearTimeout(timer)
      timer = setTimeout(() => void set(name, client).catch(() => {}), everyMs)
    },
    restoreClient: () => get<PersistedClient>(name).catch(() => undefined),
    removeClient: () => set(name, undefined),
  }
}

let unsubscribe = () => {}

function stop() {
  unsubscribe()
  unsubscribe = () => {}
  // A pending write would otherwise run after the data was erased.
  clearTimeout(timer)
}

/** Restores the last data of the user who was signed in here, if any. */
export async function restoreCache() {
  const userId = signedInAs()
  if (userId === null) return
  const persister = persisterOf(userId)
  await persistQueryClientRestore({ queryClient: cache, persister, buster, maxAge: keptMs })
  // The restored data is shown at once, and the components that show it fetch it again.
  await cache.invalidateQueries({ refetchType: 'none' })
  keep(persister)
}

/** Starts to persist the cache for this user, except on a shared computer. */
export function keepCacheOf(userId: string) {
  if (signedInAs() === userId || isSharedComputer()) return
  localStorage.setItem(userKey, userId)
  keep(persisterOf(userId))
}

/** Removes all of the user's data from this device. */
export async function forgetCache() {
  cache.clear()
  await eraseKeptCache()
}

/** Removes the user's data from disk; what the page shows stays in memory. */
export async function eraseKeptCache() {
  stop()
  localStorage.removeItem(userKey)
  await clear().catch(() => {})
}

function keep(persister: Persister) {
  stop()
  unsubscribe = persistQueryClientSubscribe({
    queryClient: cache,
    persister,
    buster,
    dehydrateOptions: {
      shouldDehydrateQuery: ({ queryKey, state }) =>
        state.status === 'success' && !unkept.has(String(queryKey[0])),
      shouldDehydrateMutation: () => false,
    },
  })
}
