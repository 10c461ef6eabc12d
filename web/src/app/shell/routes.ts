import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { appRoute } from '../../features/parent-routes.ts'

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/calendar' })
  },
})

const moreRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'more',
  component: lazyRouteComponent(() => import('./more-screen.tsx'), 'MoreScreen'),
})

export const shellRoutes = [homeRoute, moreRoute]
