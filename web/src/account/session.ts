import { api, Refusal } from '../data/api.ts'
import { cache } from '../data/cache.ts'
import { forgetCache } from '../data/persist.ts'
import { queries } from '../data/queries.ts'
import { forgetSteps } from '../data/steps.ts'
import { toast } from '../ui/toasts.ts'

/** Whoever was here before left nothing behind. */
export async function beginSession() {
  await forgetCache()
  await cache.fetchQuery(queries.profile())
}

export async function signOut() {
  try {
    await api.auth.signOut()
  } catch (error) {
    // Who is not known any more is out.
    if (!(error instanceof Refusal))
      return void toast('You are still signed in: the service did not answer.', { tone: 'error' })
  }
  forgetSteps()
  await forgetCache()
  // What was written and not saved.
  sessionStorage.clear()
  // A new page, so that nothing of the old one is left in memory.
  location.assign('/login')
}
