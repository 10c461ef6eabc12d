import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../parent-routes.ts'

/** Without navigation: there is nothing to go to yet. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'welcome',
  component: lazyRouteComponent(() => import('./welcome-screen.tsx'), 'WelcomeScreen'),
})
