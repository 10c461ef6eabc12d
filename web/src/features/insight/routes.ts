import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../parent-routes.ts'

export const insightRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'insight',
  component: lazyRouteComponent(() => import('./insight-screen.tsx'), 'InsightScreen'),
})

export const insightRoutes = [insightRoute]
