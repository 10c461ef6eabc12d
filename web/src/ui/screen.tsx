import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCommands } from './commands/registry.ts'
import { IconButton } from './button.tsx'

type Props = {
  title: ReactNode
  /** Shown beside the title. */
  lead?: ReactNode
  actions?: ReactNode
  /** The panel on the right: see `Panel`. */
  panel?: ReactNode
  /** Shown between the navigation and the main part, such as the calendar's task list. */
  aside?: ReactNode
  children: ReactNode
}

/** The layout of every screen: header, main part, and at most one panel on the right. */
export function Screen({ title, lead, actions, panel, aside, children }: Props) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      {aside}
      <main className="relative flex min-w-0 flex-1 flex-col" id="main">
        <header className="@container flex h-12 flex-none items-center gap-2 border-b px-3 md:px-4">
          <h1 className="truncate text-base font-semibold md:text-lg">{title}</h1>
          {lead}
          <div className="ml-auto flex items-center gap-1.5">{actions}</div>
        </header>
        <div className="flex min-h-0 flex-1 flex-col">{children}</div>
      </main>
      {panel}
    </div>
  )
}

type PanelProps = {
  label: string
  title: ReactNode
  /** On a phone, the panel leaves the upper part of the screen visible. */
  isSheet?: boolean
  onClose: () => void
  children: ReactNode
}

/** A panel beside the main part on a wide screen, and over it on a narrow one. */
export function Panel({ label, title, isSheet = false, onClose, children }: PanelProps) {
  useCommands([
    { id: 'panel.close', title: 'Close the panel', group: 'General', keys: 'escape', run: onClose },
  ])
  return (
    <aside
      aria-label={label}
      className={`fixed inset-y-0 right-0 z-30 flex w-full flex-col border-l md:max-w-[340px] bg-panel shadow-float xl:static xl:w-[312px] xl:flex-none xl:shadow-none ${isSheet ? 'max-md:top-auto max-md:h-[58dvh] max-md:rounded-t-[14px] max-md:border-t max-md:border-l-0' : ''}`}
    >
      <div className="flex h-12 flex-none items-center gap-2 border-b px-4">
        <h2 className="min-w-0 flex-1 truncate font-semibold">{title}</h2>
        <IconButton label="Close panel" keys="escape" icon={<X size={16} />} onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </aside>
  )
}
