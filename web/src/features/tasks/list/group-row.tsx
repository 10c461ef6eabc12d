import { ChevronDown } from 'lucide-react'
import { formatHours } from '../../../time/format.ts'
import { Swatch } from '../../../ui/badge.tsx'
import type { Group } from '../groups.ts'

type Props = { group: Group; index: number; isClosed: boolean; onToggle: () => void }

export function GroupRow({ group, index, isClosed, onToggle }: Props) {
  const minutes = group.tasks.reduce((sum, { estimateMinutes }) => sum + (estimateMinutes ?? 0), 0)
  return (
    <div role="row" aria-rowindex={index + 1} className="flex h-full items-end px-3 pb-1.5 md:px-4">
      <div role="gridcell" className="flex w-full items-center gap-2">
        <button
          type="button"
          aria-expanded={!isClosed}
          onClick={onToggle}
          className="-ml-1.5 flex h-6 items-center gap-1.5 rounded-control px-1.5 hover:bg-hover"
        >
          {group.color !== undefined && <Swatch color={group.color} />}
          <span
            className={`text-xs font-semibold ${group.key === 'overdue' ? 'text-signal-ink' : ''}`}
          >
            {group.title}
          </span>
          <span className="text-xs text-ink-3 tabular">{group.tasks.length}</span>
          <ChevronDown
            size={13}
            aria-hidden="true"
            className={`text-ink-3 transition-transform ${isClosed ? '-rotate-90' : ''}`}
          />
        </button>
        {minutes > 0 && (
          <span className="ml-auto text-2xs text-ink-3 tabular">{formatHours(minutes)}</span>
        )}
      </div>
    </div>
  )
}
