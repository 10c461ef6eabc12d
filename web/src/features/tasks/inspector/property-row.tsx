import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = {
  name: string
  Icon: LucideIcon
  /** Gets the button, so that a picker can be shown beside it. */
  onOpen: (anchor: HTMLElement) => void
  /** The value; “None” without one. */
  children: ReactNode
}

/** A field of a task with its value; pressing it opens its editor. */
export const PropertyRow = ({ name, Icon, onOpen, children }: Props) => (
  <div className="flex min-h-8 items-center gap-2">
    <dt className="flex w-[116px] flex-none items-center gap-2 text-xs text-ink-3">
      <Icon size={14} aria-hidden="true" />
      {name}
    </dt>
    <dd className="min-w-0 flex-1">
      <button
        type="button"
        className="-mx-1.5 flex min-h-7 w-full items-center gap-1.5 rounded-control px-1.5 text-left tabular hover:bg-hover"
        onClick={({ currentTarget }) => onOpen(currentTarget)}
      >
        <span className="sr-only">Change {name.toLowerCase()}: </span>
        {children || <span className="text-ink-3">None</span>}
      </button>
    </dd>
  </div>
)
