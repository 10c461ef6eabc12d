import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

type Props = { title: string; count?: ReactNode; actions?: ReactNode; children: ReactNode }

export const Section = ({ title, count, actions, children }: Props) => (
  <section aria-label={title} className="border-t px-4 py-3">
    <div className="mb-1 flex min-h-6 items-center gap-2">
      <h3 className="text-xs font-semibold">{title}</h3>
      {count !== undefined && <span className="text-xs text-ink-3 tabular">{count}</span>}
      <div className="ml-auto">{actions}</div>
    </div>
    {children}
  </section>
)

/** A section that is closed at first. Its content is fetched when it is opened. */
export function Fold({ title, children }: { title: string; children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label={title} className="border-t px-4 py-2">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="-ml-1.5 flex h-7 items-center gap-1 rounded-control px-1.5 text-xs font-semibold hover:bg-hover"
        >
          <ChevronRight
            size={13}
            aria-hidden="true"
            className={`text-ink-3 transition-transform ${isOpen ? 'rotate-90' : ''}`}
          />
          {title}
        </button>
      </h3>
      {isOpen && <div className="pt-1 pb-2">{children()}</div>}
    </section>
  )
}

export const Quiet = ({ children }: { children: ReactNode }) => (
  <p className="text-xs text-ink-3">{children}</p>
)
