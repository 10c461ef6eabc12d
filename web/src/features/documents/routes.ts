import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../parent-routes.ts'
import type { View } from './view.ts'

export const documentsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'documents',
  component: lazyRouteComponent(() => import('./documents-screen.tsx'), 'DocumentsScreen'),
})

type DocumentSearch = { view?: View; details?: boolean }
const isView = (view: unknown): view is View =>
  view === 'edit' || view === 'both' || view === 'preview'

export const documentRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'documents/$id',
  validateSearch: ({ view, details }: Record<string, unknown>): DocumentSearch => ({
    ...(isView(view) && { view }),
    ...(details === true && { details }),
  }),
  component: lazyRouteComponent(() => import('./document-screen.tsx'), 'DocumentScreen'),
})

export const documentsRoutes = [documentsRoute, documentRoute]
