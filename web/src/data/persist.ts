// The cache in IndexedDB, by user, so that the app opens with the last data at once and offline.
import {
  persistQueryClientRestore,
  persistQueryClientSubscribe,
} from '@tanstack/query-persist-client-core'
import type { PersistedClient, Persister } from '@tanstack/query-persist-client-core'
import { clear, get, set } from 'idb-keyval'
import { cache } from './cache.ts'

const userKey = 'daywright.user'
// Kept answers of another shape are of no use.
const buster = '1'
const keptMs = 30 * 86_400_000
const everyMs = 1000

/** Secrets, other people and whole texts are not kept. */
const unkept = new Set([
  'signUpState',
  'documentTexts',
  'apiKeys',
  'sessions',
  'webhooks',
  'accounts',
  'usageOf',
  'jobs',
  'history',
])

const signedInAs = () => localStorage.getItem(userKey)

/** Whether somebody has used this browser, and not signed out. */
export const isUserKnown = () => signedInAs() !== null

/** Set at sign-in: on a computer that others use, too, nothing is kept. */
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
  // What waits to be written would be written after it was erased.
  clearTimeout(timer)
}

/** The last data of the person who was signed in here, if anybody was. */
export async function restoreCache() {
  const userId = signedInAs()
  if (userId === null) return
  const persister = persisterOf(userId)
  await persistQueryClientRestore({ queryClient: cache, persister, buster, maxAge: keptMs })
  // Shown at once, and asked for again by whatever shows it.
  await cache.invalidateQueries({ refetchType: 'none' })
  keep(persister)
}

/** From here on the cache is this user's. */
export function keepCacheOf(userId: string) {
  if (signedInAs() === userId || isSharedComputer()) return
  localStorage.setItem(userKey, userId)
  keep(persisterOf(userId))
}

/** Leaves nothing of the user on this device. */
export async function forgetCache() {
  cache.clear()
  await eraseKeptCache()
}

/** Leaves nothing of the user on disk; what the page shows stays in memory. */
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
