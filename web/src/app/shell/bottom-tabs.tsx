import { Link } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { screens } from './screens.ts'
import { Plus } from 'lucide-react'

/** Navigation on a phone. */
export function BottomTabs({ onAdd }: { onAdd: () => void }) {
  return (
    <nav
      aria-label="Main"
      className="flex flex-none border-t bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {screens
        .filter(({ isTab }) => isTab)
        .map(({ to, label, Icon }) => (
          <Link key={to} to={to} className="tab" activeOptions={{ includeSearch: false }}>
            <Icon size={20} aria-hidden="true" />
            {label}
          </Link>
        ))}
      <Link to="/more" className="tab">
        <MenuIcon size={20} aria-hidden="true" />
        More
      </Link>
      <button
        type="button"
        aria-label="Add a task"
        onClick={onAdd}
        className="fixed right-4 bottom-[calc(64px+env(safe-area-inset-bottom))] z-20 grid size-12 place-content-center rounded-full bg-ink text-on-ink shadow-float"
      >
        <Plus size={22} aria-hidden="true" />
      </button>
    </nav>
  )
}
