import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../parent-routes.ts'
import { readTasksSearch } from './search.ts'

export type { TasksSearch } from './search.ts'

export const tasksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'tasks',
  validateSearch: readTasksSearch,
  component: lazyRouteComponent(() => import('./tasks-screen.tsx'), 'TasksScreen'),
})

export const taskRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'tasks/$id',
  component: lazyRouteComponent(() => import('./task-screen.tsx'), 'TaskScreen'),
})

export const spaceRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'spaces/$id',
  validateSearch: readTasksSearch,
  component: lazyRouteComponent(() => import('./space-screen.tsx'), 'SpaceScreen'),
})

export const archiveRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'archive',
  component: lazyRouteComponent(() => import('./archive-screen.tsx'), 'ArchiveScreen'),
})

export const tasksRoutes = [tasksRoute, taskRoute, spaceRoute, archiveRoute]
