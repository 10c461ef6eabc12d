import type { FullPlannerRun } from '@daywright/contract'
import { type ReactNode, useState } from 'react'
import type { Zone } from '../../time/zone.ts'
import { Swatch } from '../../ui/badge.tsx'
import { colorOf, type Tasks } from './entries.ts'
import { formatRange } from './format-range.ts'

type Blocks = FullPlannerRun['blocks']
type Props = { blocks: Blocks; tasks: Tasks; zone: Zone; onGoTo: (date: Date) => void }

/** Every block of a plan by kind of change, with its reason. */
export function PlanChanges({ blocks, tasks, zone, onGoTo }: Props) {
  const common = { tasks, onGoTo }
  return (
    <div className="pb-6">
      <Group
        title="Moved"
        {...common}
        rows={blocks.moved.map((block) => ({
          ...block,
          when: (
            <>
              <s className="text-ink-3">{formatRange(block.from, zone)}</s>
              <br />
              {formatRange(block, zone)}
            </>
          ),
        }))}
      />
      <Group
        title="New"
        {...common}
        rows={blocks.added.map((block) => ({ ...block, when: formatRange(block, zone) }))}
      />
      <Group
        title="Removed"
        {...common}
        rows={blocks.removed.map((block) => ({
          ...block,
          explanation: '',
          when: <s>{formatRange(block, zone)}</s>,
        }))}
      />
      <Group
        title="Unchanged"
        isClosed
        {...common}
        rows={blocks.unchanged.map((block) => ({ ...block, when: formatRange(block, zone) }))}
      />
    </div>
  )
}

type Row = {
  taskId: string | null
  title: string
  startAt: Date
  explanation: string
  when: ReactNode
}

type GroupProps = {
  title: string
  rows: Row[]
  tasks: Tasks
  isClosed?: boolean
  onGoTo: (date: Date) => void
}

const fewest = 8

function Group({ title, rows, tasks, isClosed = false, onGoTo }: GroupProps) {
  const [isAll, setAll] = useState(false)
  if (rows.length === 0) return null
  const shown = isAll ? rows : rows.slice(0, isClosed ? 0 : fewest)
  return (
    <section className="px-4 pt-4">
      <h3 className="font-medium">
        {title} <span className="text-ink-3 tabular">{rows.length}</span>
      </h3>
      <ul className="mt-1">
        {shown.map((row) => (
          <li key={`${row.taskId} ${row.startAt.getTime()}`} className="border-b last:border-b-0">
            <button
              type="button"
              className="-mx-2 w-[calc(100%+16px)] rounded-control px-2 py-2 text-left hover:bg-hover"
              onClick={() => onGoTo(row.startAt)}
            >
              <span className="flex items-center gap-2 font-medium">
                <Swatch color={colorOf(tasks.get(row.taskId ?? ''))} />
                <span className="min-w-0 truncate">{row.title}</span>
              </span>
              <span className="mt-0.5 block pl-4 text-xs text-ink-2 tabular">{row.when}</span>
              {row.explanation && (
                <span className="mt-0.5 block pl-4 text-xs text-ink-3">{row.explanation}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <button
          type="button"
          className="mt-1 text-xs font-medium text-ink-2 underline-offset-2 hover:underline"
          onClick={() => setAll(true)}
        >
          Show all {rows.length}
        </button>
      )}
    </section>
  )
}
