import type { ListedTask } from '@daywright/contract'
import { Ellipsis } from 'lucide-react'
import { isOpen } from '../../../data/actions/change-tasks.ts'
import { setStatus, statusNames } from '../../../data/actions/task-fields.ts'
import { perform } from '../../../data/run-mutation.ts'
import { formatMinutes } from '../../../time/format.ts'
import type { Zone } from '../../../time/zone.ts'
import { Swatch } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Menu, MenuHeading, MenuItem } from '../../../ui/menu.tsx'
import { PriorityMark } from '../../../ui/priority-mark.tsx'
import { DueText } from '../list/due-text.tsx'
import { StatusMark } from '../status-mark.tsx'
import { columnStatuses } from './columns.ts'

type Props = { task: ListedTask; now: Date; zone: Zone }

export function CardFace({ task, now, zone }: Props) {
  const place = task.project ?? task.space
  return (
    <>
      <p className={`line-clamp-2 flex-none pr-6 ${isOpen(task) ? '' : 'text-ink-3 line-through'}`}>
        {task.title}
      </p>
      <div className="mt-auto flex min-w-0 items-center gap-2 text-2xs text-ink-3 tabular">
        <PriorityMark priority={task.priority} />
        {place && (
          <span className="flex min-w-0 items-center gap-1">
            <Swatch color={place.color} isRound={task.project !== null} />
            <span className="truncate">{place.name}</span>
          </span>
        )}
        <span className="ml-auto flex flex-none gap-2">
          {task.estimateMinutes ? <span>{formatMinutes(task.estimateMinutes)}</span> : undefined}
          {task.dueAt && isOpen(task) && <DueText task={task} now={now} zone={zone} />}
        </span>
      </div>
    </>
  )
}

/** Moves the card to another column, as an alternative to dragging. */
export const CardMenu = ({ task }: { task: ListedTask }) => (
  <Menu
    trigger={
      <IconButton
        label={`Move “${task.title}”`}
        icon={<Ellipsis size={15} />}
        tabIndex={-1}
        className="board-menu absolute top-1 right-1 size-6"
      />
    }
  >
    <MenuHeading>Move to</MenuHeading>
    {columnStatuses.map((status) => (
      <MenuItem
        key={status}
        icon={<StatusMark status={status} />}
        disabled={status === task.status}
        onSelect={() => void perform(setStatus([task], status))}
      >
        {statusNames[status]}
      </MenuItem>
    ))}
  </Menu>
)
