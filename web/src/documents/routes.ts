import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../shell/root.tsx'

export const documentsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'documents',
  component: lazyRouteComponent(() => import('./documents-screen.tsx'), 'DocumentsScreen'),
})

export type View = 'write' | 'both' | 'read'
type DocumentSearch = { view?: View; details?: boolean }
const isView = (view: unknown): view is View =>
  view === 'write' || view === 'both' || view === 'read'

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
