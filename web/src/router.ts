import { createRouter } from '@tanstack/react-router'
import { accountRoutes } from './account/routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { documentsRoutes } from './documents/routes.ts'
import { insightRoutes } from './insight/routes.ts'
import { notificationsRoutes } from './notifications/routes.ts'
import { welcomeRoute } from './onboarding/routes.ts'
import { projectsRoutes } from './projects/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { appRoute, rootRoute } from './shell/root.tsx'
import { shellRoutes } from './shell/routes.ts'
import { tasksRoutes } from './tasks/routes.ts'
import { todayRoutes } from './today/routes.ts'
import { weekRoutes } from './week/routes.ts'

const routeTree = rootRoute.addChildren([
  ...accountRoutes,
  welcomeRoute,
  appRoute.addChildren([
    ...shellRoutes,
    ...weekRoutes,
    ...todayRoutes,
    ...tasksRoutes,
    ...projectsRoutes,
    ...documentsRoutes,
    ...notificationsRoutes,
    ...insightRoutes,
    ...adminRoutes,
    settingsRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
