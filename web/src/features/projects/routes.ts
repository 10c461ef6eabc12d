import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../parent-routes.ts'

export const projectsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'projects',
  component: lazyRouteComponent(() => import('./projects-screen.tsx'), 'ProjectsScreen'),
})

export const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'projects/$id',
  component: lazyRouteComponent(() => import('./project-screen.tsx'), 'ProjectScreen'),
})

export const projectsRoutes = [projectsRoute, projectRoute]
