import { Link } from '@tanstack/react-router'
import { Bell, ChartNoAxesColumn, PanelLeft, Plus, Search, Settings } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { tip } from '../../ui/tip.ts'
import { setDevice, useDevice } from '../../ui/device.ts'
import { Mark } from '../../ui/mark.tsx'
import { useCollapsesNav } from '../../ui/screen-width.ts'
import { screens } from './screens.ts'
import { SideSpaces } from './side-spaces.tsx'

// Menus are heavy, and this one is not needed for the first paint.
const UserMenu = lazy(() => import('./user-menu.tsx'))

type Props = { onSearch: () => void; onAdd: () => void }

/** Navigation: the screens, then spaces and projects. Collapsed, it is a rail of icons. */
export function Side({ onSearch, onAdd }: Props) {
  const collapsesNav = useCollapsesNav()
  const isSideClosed = useDevice().isSideClosed || collapsesNav
  const { data } = useQuery(queries.notifications())
  const unread = data?.unreadCount ?? 0
  return (
    <nav
      aria-label="Main"
      data-closed={isSideClosed || undefined}
      className="side group hidden w-[208px] flex-none flex-col border-r bg-panel data-closed:w-12 md:flex"
    >
      <div className="flex h-12 flex-none items-center gap-2 px-2.5 group-data-closed:justify-center group-data-closed:px-0">
        <Link to="/calendar" aria-label="Daywright" className="rounded-[7px]">
          <Mark />
        </Link>
        <span className="flex-1 font-semibold tracking-tight group-data-closed:hidden">
          Daywright
        </span>
        <IconButton
          label="Hide navigation"
          keys="["
          className="group-data-closed:hidden"
          icon={<PanelLeft size={16} />}
          onClick={() => setDevice({ isSideClosed: true })}
        />
      </div>
      <div className="flex flex-col gap-px px-2 pb-2 group-data-closed:items-center">
        <button type="button" className="side-link" onClick={onAdd} {...tip('Add a task', 'q')}>
          <Plus size={16} aria-hidden="true" />
          <span className="side-text">Add task</span>
        </button>
        <button type="button" className="side-link" onClick={onSearch} {...tip('Search', 'mod+k')}>
          <Search size={16} aria-hidden="true" />
          <span className="side-text">Search</span>
        </button>
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-px overflow-y-auto px-2 pb-2 group-data-closed:items-center">
        {screens.map(({ to, label, keys, Icon }) => (
          <SideLink key={to} to={to} label={label} keys={keys} icon={<Icon size={16} />} />
        ))}
        <SideLink
          to="/insight"
          label="Insight"
          keys="g i"
          icon={<ChartNoAxesColumn size={16} aria-hidden="true" />}
        />
        <SideSpaces />
      </div>
      <div className="flex flex-none flex-col gap-px border-t p-2 group-data-closed:items-center">
        {isSideClosed && !collapsesNav && (
          <IconButton
            label="Show navigation"
            keys="["
            icon={<PanelLeft size={16} />}
            onClick={() => setDevice({ isSideClosed: false })}
          />
        )}
        <SideLink
          to="/notifications"
          label="Notifications"
          keys="g n"
          icon={<Bell size={16} aria-hidden="true" />}
          count={unread}
        />
        <SideLink
          to="/settings/profile"
          label="Settings"
          keys="g s"
          icon={<Settings size={16} aria-hidden="true" />}
        />
        <Suspense fallback={<div className="h-7" />}>
          <UserMenu />
        </Suspense>
      </div>
    </nav>
  )
}

type LinkProps = { to: string; label: string; keys: string; icon: ReactNode; count?: number }

function SideLink({ to, label, keys, icon, count = 0 }: LinkProps) {
  return (
    <Link
      to={to}
      className="side-link"
      activeOptions={{ includeSearch: false }}
      {...tip(label, keys)}
    >
      {icon}
      <span className="side-text">{label}</span>
      {count > 0 && (
        <span className="side-count">
          {count}
          <span className="sr-only"> unread</span>
        </span>
      )}
    </Link>
  )
}
