import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../parent-routes.ts'

export const usersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'admin/users',
  /** The user whose usage is shown. */
  validateSearch: ({ usage }: Record<string, unknown>): { usage?: string } => ({
    ...(typeof usage === 'string' && { usage }),
  }),
  component: lazyRouteComponent(() => import('./users-screen.tsx'), 'UsersScreen'),
})

export const adminRoutes = [usersRoute]
