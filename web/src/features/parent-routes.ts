// The two parent routes: the root, and everything behind sign-in. `app/router.ts` sets their components.
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { cache } from '../data/query-client.ts'
import { isUserKnown, keepCacheOf } from '../data/persist.ts'
import { queries } from '../data/queries.ts'
import { api, Refusal } from '../data/api.ts'

export const rootRoute = createRootRoute()

/** Everything behind sign-in. Cached data is shown at once, and fetched again in the background. */
export const appRoute = createRoute({
  id: 'app',
  getParentRoute: () => rootRoute,
  beforeLoad: async ({ location }) => {
    const toLogin = redirect({ to: '/login', search: { next: location.href } })
    // In a new browser, ask for the session first: a 401 would log an error in the console.
    if (!isUserKnown() && !(await api.auth.session())) throw toLogin
    try {
      const profile = await cache.ensureQueryData(queries.profile())
      keepCacheOf(profile.id)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error
      throw toLogin
    }
  },
})
