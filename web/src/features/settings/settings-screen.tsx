import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { Screen } from '../../ui/screen.tsx'

const pages = [
  ['/settings/profile', 'Profile'],
  ['/settings/schedule', 'Working hours'],
  ['/settings/planning', 'Planning'],
  ['/settings/calendars', 'Calendars'],
  ['/settings/spaces', 'Spaces'],
  ['/settings/labels', 'Labels'],
  ['/settings/appearance', 'Appearance'],
  ['/settings/shortcuts', 'Shortcuts'],
  ['/settings/keys', 'API keys'],
  ['/settings/sessions', 'Sessions'],
  ['/settings/webhooks', 'Webhooks'],
  ['/settings/usage', 'Storage and limits'],
  ['/settings/export', 'Export'],
] as const

export function SettingsScreen() {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone the tabs do not all fit: scroll the open one into view.
  useLayoutEffect(() => {
    nav.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  return (
    <Screen title="Settings">
      <div className="flex min-h-0 flex-1 flex-col md:flex-row">
        <nav
          ref={nav}
          aria-label="Settings"
          className="flex flex-none gap-px overflow-x-auto border-b p-2 md:w-44 md:flex-col md:border-r md:border-b-0"
        >
          {pages.map(([to, label]) => (
            <Link key={to} to={to} className="side-link w-auto whitespace-nowrap">
              {label}
            </Link>
          ))}
        </nav>
        <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6 md:px-10">
          <div className="mx-auto max-w-[680px]">
            <Outlet />
          </div>
        </div>
      </div>
    </Screen>
  )
}
