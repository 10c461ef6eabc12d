import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { appRoute } from '../parent-routes.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings-screen.tsx'), 'SettingsScreen'),
})

const settingsIndexRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile' })
  },
})

const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'profile',
  component: lazyRouteComponent(() => import('./profile-settings.tsx'), 'ProfileSettings'),
})

const scheduleRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'schedule',
  component: lazyRouteComponent(() => import('./schedule-settings.tsx'), 'ScheduleSettings'),
})

const planningRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'planning',
  component: lazyRouteComponent(() => import('./planning-settings.tsx'), 'PlanningSettings'),
})

type CalendarSearch = {
  /** Set by a provider that redirects back from its consent page. */
  code?: string
  state?: string
  error?: string
  /** The account whose calendars are to be chosen. */
  choose?: string
}

const readReturn = (search: Record<string, unknown>): CalendarSearch =>
  Object.fromEntries(
    ['code', 'state', 'error', 'choose'].flatMap((name) => {
      const value = search[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )

const calendarsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'calendars',
  validateSearch: readReturn,
  component: lazyRouteComponent(() => import('./calendars-settings.tsx'), 'CalendarSettings'),
})

const spacesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'spaces',
  component: lazyRouteComponent(() => import('./spaces-settings.tsx'), 'SpaceSettings'),
})

const labelsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'labels',
  component: lazyRouteComponent(() => import('./labels-settings.tsx'), 'LabelSettings'),
})

const appearanceRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'appearance',
  component: lazyRouteComponent(() => import('./appearance-settings.tsx'), 'AppearanceSettings'),
})

const shortcutsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'shortcuts',
  component: lazyRouteComponent(() => import('./shortcuts-settings.tsx'), 'ShortcutSettings'),
})

const keysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'keys',
  component: lazyRouteComponent(() => import('./keys-settings.tsx'), 'KeySettings'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'sessions',
  component: lazyRouteComponent(() => import('./sessions-settings.tsx'), 'SessionSettings'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./webhooks-settings.tsx'), 'WebhookSettings'),
})

const usageRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'usage',
  component: lazyRouteComponent(() => import('./usage-settings.tsx'), 'UsageSettings'),
})

const exportRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'export',
  component: lazyRouteComponent(() => import('./export-settings.tsx'), 'ExportSettings'),
})

export const settingsRoutes = settingsRoute.addChildren([
  settingsIndexRoute,
  profileRoute,
  scheduleRoute,
  planningRoute,
  calendarsRoute,
  spacesRoute,
  labelsRoute,
  appearanceRoute,
  shortcutsRoute,
  keysRoute,
  sessionsRoute,
  webhooksRoute,
  usageRoute,
  exportRoute,
])
