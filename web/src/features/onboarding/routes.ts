import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../parent-routes.ts'

/** Not under the app route, and so without navigation: a new user has nothing to go to yet. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'welcome',
  component: lazyRouteComponent(() => import('./welcome-screen.tsx'), 'WelcomeScreen'),
})
