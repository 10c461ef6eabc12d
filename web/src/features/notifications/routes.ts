import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../parent-routes.ts'

export const notificationsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'notifications',
  component: lazyRouteComponent(() => import('./notifications-screen.tsx'), 'NotificationsScreen'),
})

export const notificationsRoutes = [notificationsRoute]
