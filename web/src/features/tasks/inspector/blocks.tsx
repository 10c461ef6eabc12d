import type { BareTimeBlock, FullTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { queries } from '../../../data/queries.ts'
import { useNow } from '../../../time/clock.ts'
import { formatMinutes, formatTime, formatWhen } from '../../../time/format.ts'
import { useZone } from '../../../data/profile.ts'
import { dayOf, minutesBetween } from '../../../time/zone.ts'
import { comingWeeks } from '../list/planned.ts'
import { Quiet, Section } from './section.tsx'

/** The blocks of a task, with their reasons. */
export function Blocks({ task }: { task: FullTask }) {
  const zone = useZone()
  const now = useNow()
  const range = comingWeeks(now, zone)
  const { data: coming } = useQuery(queries.blocks(...range))
  const blocks = mergeBlocks(task, coming, range)
  const minutes = blocks.reduce((sum, block) => sum + minutesBetween(block.startAt, block.endAt), 0)
  return (
    <Section title="Time" {...(minutes > 0 && { count: formatMinutes(minutes) })}>
      {blocks.length === 0 ? (
        <Quiet>
          {task.estimateMinutes
            ? 'Will be scheduled in the next plan.'
            : 'Add an estimate, and the planner finds time for it.'}
        </Quiet>
      ) : (
        <ul className="flex flex-col gap-1">
          {blocks.map((block) => {
            const isPast = block.endAt <= now || block.status === 'completed'
            return (
              <li key={block.id} className="flex flex-col">
                <Link
                  to="/calendar"
                  search={{ w: dayOf(block.startAt, zone).toString(), block: block.id }}
                  className={`-mx-1.5 flex min-h-7 items-center gap-2 rounded-control px-1.5 tabular hover:bg-hover ${isPast ? 'text-ink-3' : ''}`}
                >
                  <span className="flex-1">
                    {formatWhen(block.startAt, zone, now)}–{formatTime(block.endAt, zone)}
                  </span>
                  {block.locked && (
                    <Lock size={12} role="img" aria-label="locked" className="text-ink-3" />
                  )}
                  <span className="text-xs text-ink-3">
                    {block.status === 'completed' ? 'done' : sourceWords(block)}
                  </span>
                </Link>
                {block.explanation && !isPast && (
                  <p className="pb-1 text-xs text-ink-3">{block.explanation}</p>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

const sourceWords = ({ source }: BareTimeBlock) => (source === 'manual' ? 'by hand' : 'planned')

/** Prefers the calendar's blocks, which live events keep fresh, to the task's own list, which may be older. */
function mergeBlocks(
  task: FullTask,
  coming: BareTimeBlock[] | undefined,
  [from, to]: [Date, Date],
) {
  const own = task.timeBlocks.filter(({ startAt }) => !coming || startAt < from || startAt >= to)
  return [...own, ...(coming?.filter(({ taskId }) => taskId === task.id) ?? [])]
    .filter(({ status }) => status !== 'cancelled')
    .toSorted((one, other) => one.startAt.getTime() - other.startAt.getTime())
}
