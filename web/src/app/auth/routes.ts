import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../features/parent-routes.ts'

/** `next` is validated where it is used: see next-path.ts. */
const readNext = ({ next }: Record<string, unknown>): { next?: string } =>
  typeof next === 'string' ? { next } : {}

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'login',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('./sign-in-screen.tsx'), 'SignInScreen'),
})

export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'signup',
  component: lazyRouteComponent(() => import('./sign-up-screen.tsx'), 'SignUpScreen'),
})

export const accountRoutes = [loginRoute, signUpRoute]
