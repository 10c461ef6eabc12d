import type { BareTask } from '@daywright/contract'
import { isOpen } from '../../../data/actions/change-tasks.ts'
import { formatRelativeDay, formatTime } from '../../../time/format.ts'
import { dayOf, wallMinutes, type Zone } from '../../../time/zone.ts'

type Props = { task: Pick<BareTask, 'dueAt' | 'status'>; now: Date; zone: Zone }

/** Highlights overdue and today. On other days, the time is left out if it is 17:00 or the task is overdue. */
export function DueText({ task, now, zone }: Props) {
  const { dueAt } = task
  if (!dueAt) return <span className="text-ink-3">–</span>
  const isLate = dueAt < now && isOpen(task)
  const isToday = dayOf(dueAt, zone).equals(dayOf(now, zone))
  const hasTime = isToday || (wallMinutes(dueAt, zone) !== 17 * 60 && !isLate)
  const tone = isLate ? 'text-signal-ink font-medium' : isToday ? 'text-ink font-medium' : ''
  return (
    <span className={tone}>
      {isLate && <span className="sr-only">Overdue: </span>}
      {formatRelativeDay(dueAt, zone, now)}
      {hasTime && ` ${formatTime(dueAt, zone)}`}
    </span>
  )
}
