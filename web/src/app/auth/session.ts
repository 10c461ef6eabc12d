import type { Profile } from '@daywright/contract'
import { api, Refusal } from '../../data/api.ts'
import { cache } from '../../data/query-client.ts'
import { keys } from '../../data/keys.ts'
import { eraseKeptCache, forgetCache, keepCacheOf } from '../../data/persist.ts'
import { queries } from '../../data/queries.ts'
import { forgetSteps } from '../../data/steps.ts'
import { dismissAll, toast } from '../../data/toasts.ts'
import { listenToOtherTabs, tellOtherTabs } from './other-tabs.ts'
import { setSignedOut } from './signed-out.ts'

/** The user whose unsaved text is in this tab's storage. */
const draftsOf = 'daywright.drafts-of'

/** Starts a session after sign-in. Removes all data of the previous user. */
export async function beginSession() {
  await forgetCache()
  const { id } = await cache.fetchQuery(queries.profile())
  if (sessionStorage.getItem(draftsOf) !== id) sessionStorage.clear()
  tellOtherTabs({ kind: 'signed in', userId: id })
}

export async function signOut() {
  await untilQueriesEnd()
  try {
    await api.auth.signOut()
  } catch (error) {
    // A refusal means that the service no longer knows the session, so it has ended as well.
    if (!(error instanceof Refusal))
      return void toast('You are still signed in because the server did not respond.', {
        tone: 'error',
      })
  }
  tellOtherTabs({ kind: 'signed out' })
  await leave('/login')
}

/** A query in progress would be refused, as if the session had ended elsewhere. Waits a second at most. */
function untilQueriesEnd() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => void (cache.isFetching() === 0 && resolve())
  const unsubscribe = cache.getQueryCache().subscribe(look)
  const timer = setTimeout(resolve, 1000)
  look()
  return promise.finally(() => {
    clearTimeout(timer)
    unsubscribe()
  })
}

/** Handles a session that ended elsewhere: hides the page until the same user signs in again. */
export function endSession() {
  tellOtherTabs({ kind: 'session ended' })
  hidePage()
}

/** Shows the page again after the same user has signed in over it. */
export async function resumeSession() {
  const profile = shownProfile()
  if (profile) tellOtherTabs({ kind: 'signed in', userId: profile.id })
  await showPage()
}

/** Follows sign-in and sign-out in other tabs. */
export function followOtherTabs() {
  listenToOtherTabs((news) => {
    const profile = shownProfile()
    if (!profile) return
    if (news.kind === 'session ended') hidePage()
    else if (news.kind === 'signed out') void leave('/login')
    else if (news.userId === profile.id) void showPage()
    else void leave('/')
  })
}

const shownProfile = () => cache.getQueryData<Profile>(keys.profile)

function hidePage() {
  const profile = shownProfile()
  if (profile) sessionStorage.setItem(draftsOf, profile.id)
  void eraseKeptCache()
  dismissAll()
  setSignedOut(true)
}

async function showPage() {
  const profile = shownProfile()
  if (profile) keepCacheOf(profile.id)
  setSignedOut(false)
  await cache.invalidateQueries()
}

async function leave(path: string) {
  forgetSteps()
  await forgetCache()
  // Removes unsaved text.
  sessionStorage.clear()
  // A full page load, so that nothing of the old page stays in memory.
  location.assign(path)
}
