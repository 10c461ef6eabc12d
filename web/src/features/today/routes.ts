import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../parent-routes.ts'

/** The task that is open beside the day. */
export type TodaySearch = { task?: string }

export const todayRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'today',
  validateSearch: (search: Record<string, unknown>): TodaySearch =>
    typeof search.task === 'string' && search.task !== '' ? { task: search.task } : {},
  component: lazyRouteComponent(() => import('./today-screen.tsx'), 'TodayScreen'),
})

export const todayRoutes = [todayRoute]
