import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../parent-routes.ts'
import { type CalendarSearch, readCalendarSearch } from './calendar-search.ts'

export const calendarRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'calendar',
  validateSearch: (search: Record<string, unknown>): CalendarSearch => readCalendarSearch(search),
  component: lazyRouteComponent(() => import('./calendar-screen.tsx'), 'CalendarScreen'),
})

export const weekRoutes = [calendarRoute]
