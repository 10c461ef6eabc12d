import { createRouter } from '@tanstack/react-router'
import { accountRoutes } from './auth/routes.ts'
import { adminRoutes } from '../features/admin/routes.ts'
import { documentsRoutes } from '../features/documents/routes.ts'
import { insightRoutes } from '../features/insight/routes.ts'
import { notificationsRoutes } from '../features/notifications/routes.ts'
import { welcomeRoute } from '../features/onboarding/routes.ts'
import { projectsRoutes } from '../features/projects/routes.ts'
import { settingsRoutes } from '../features/settings/routes.ts'
import { appRoute, rootRoute } from '../features/parent-routes.ts'
import { Page } from './page.tsx'
import { Failure, NotFound } from './shell/failure.tsx'
import { Shell } from './shell/shell.tsx'
import { shellRoutes } from './shell/routes.ts'
import { tasksRoutes } from '../features/tasks/routes.ts'
import { todayRoutes } from '../features/today/routes.ts'
import { weekRoutes } from '../features/calendar/routes.ts'

const fallbacks = { notFoundComponent: NotFound, errorComponent: Failure }
rootRoute.update({ component: Page, ...fallbacks })
appRoute.update({ component: Shell, ...fallbacks })

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
