import type { ListedTask } from '@daywright/contract'
import { CalendarPlus } from 'lucide-react'
import { memo } from 'react'
import { formatMinutes, formatRelativeDay } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'
import { Swatch } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { PriorityMark } from '../../ui/priority-mark.tsx'
import { colorOf } from './entries.ts'

type Props = {
  task: ListedTask
  planned: number
  zone: Zone
  now: Date
  onTake: (event: React.PointerEvent, task: ListedTask) => void
  onPlace: (task: ListedTask) => void
  onOpen: (task: ListedTask) => void
}

/** A task beside the calendar: dragged onto it, or placed by its button. */
export const TaskRow = memo(({ task, planned, zone, now, onTake, onPlace, onOpen }: Props) => {
  const place = task.project?.name ?? task.space?.name
  const isLate = task.dueAt !== null && task.dueAt < now
  return (
    <li
      className="task-row"
      data-task={task.id}
      onPointerDown={(event) => {
        if (!(event.target as HTMLElement).closest('[data-place]')) onTake(event, task)
      }}
    >
      <span className="pt-[3px]">
        <PriorityMark priority={task.priority} />
      </span>
      <button
        type="button"
        className="truncate text-left"
        data-row={task.id}
        onClick={() => onOpen(task)}
      >
        {task.title}
      </button>
      <span className="col-start-2 flex min-w-0 items-center gap-1.5 text-xs text-ink-3">
        {place && (
          <>
            <Swatch color={colorOf(task)} />
            <span className="truncate">{place}</span>
          </>
        )}
        {task.dueAt && (
          <span className={`flex-none ${isLate ? 'font-medium text-signal-ink' : ''}`}>
            {formatRelativeDay(task.dueAt, zone, now)}
          </span>
        )}
        <span className="ml-auto flex-none tabular">{lengths(task, planned)}</span>
      </span>
      <span data-place="" className="task-place">
        <IconButton
          label={`Place “${task.title}” at the next free time`}
          keys="s"
          icon={<CalendarPlus size={15} />}
          onClick={() => onPlace(task)}
        />
      </span>
    </li>
  )
})

function lengths({ estimateMinutes }: ListedTask, planned: number) {
  if (!estimateMinutes) return planned > 0 ? formatMinutes(planned) : ''
  if (planned === 0 || planned >= estimateMinutes) return formatMinutes(estimateMinutes)
  return `${formatMinutes(planned)} of ${formatMinutes(estimateMinutes)}`
}
