import type { ListedTask } from '@daywright/contract'
import { ListChecks, Lock } from 'lucide-react'
import { memo } from 'react'
import { isOpen } from '../../../data/actions/change-tasks.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { PriorityMark } from '../../../ui/priority-mark.tsx'
import { tip } from '../../../ui/tip.ts'
import { Cells, Meta, stop } from './row-cells.tsx'
import type { RowProps } from './row-props.ts'
import { Tags } from './tags.tsx'
import { TitleInput } from './title-input.tsx'

export const TaskRow = memo(function TaskRow(props: RowProps) {
  const { task, isNarrow, handlers } = props
  const isDone = !isOpen(task)
  return (
    <div
      role="row"
      aria-rowindex={props.index + 1}
      aria-selected={props.isSelected}
      data-task={task.id}
      data-open={props.isShown || undefined}
      tabIndex={props.isFocused ? 0 : -1}
      className="list-row h-full"
      onClick={(event) => {
        if (event.shiftKey) handlers.toggle(task, true)
        else if (event.ctrlKey || event.metaKey) handlers.toggle(task, false)
        else handlers.open(task)
      }}
      onDoubleClick={() => handlers.startRename(task)}
    >
      <LeadingCells task={task} isSelected={props.isSelected} handlers={handlers} />
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col justify-center gap-0.5">
        <div className="flex min-w-0 items-center gap-2">
          {props.isRenaming ? (
            <TitleInput title={task.title} onDone={(title) => handlers.rename(task, title)} />
          ) : (
            <span className={`truncate ${isDone ? 'text-ink-3 line-through' : ''}`}>
              {task.title}
            </span>
          )}
          <Extras task={task} />
          {!isNarrow && <Tags labels={task.labels} />}
        </div>
        {isNarrow && <Meta {...props} />}
      </div>
      {!isNarrow && <Cells {...props} />}
      {isNarrow && props.asksEstimate && (
        <div role="gridcell" onClick={stop}>
          <button
            type="button"
            tabIndex={-1}
            className="task-chip"
            onClick={({ currentTarget }) => handlers.edit(task, 'estimate', currentTarget)}
          >
            Estimate
          </button>
        </div>
      )}
    </div>
  )
})

type LeadingProps = Pick<RowProps, 'task' | 'isSelected' | 'handlers'>

/** The cells before the title: selection, completion and priority. */
function LeadingCells({ task, isSelected, handlers }: LeadingProps) {
  const isDone = !isOpen(task)
  return (
    <>
      <div role="gridcell" className="task-select hidden size-4 md:grid" onClick={stop}>
        <Checkbox
          label={`Select “${task.title}”`}
          isLabelHidden
          tabIndex={-1}
          checked={isSelected}
          onChange={({ nativeEvent }) =>
            handlers.toggle(task, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </div>
      <div role="gridcell" className="ml-1 grid size-6 place-content-center md:ml-0" onClick={stop}>
        <Checkbox
          label={isDone ? `Reopen “${task.title}”` : `Complete “${task.title}”`}
          isLabelHidden
          isRound
          tabIndex={-1}
          checked={isDone}
          onChange={() => handlers.complete(task)}
        />
      </div>
      <div role="gridcell" onClick={stop}>
        <button
          type="button"
          tabIndex={-1}
          data-field="priority"
          aria-label={`Priority of “${task.title}”: ${task.priority}`}
          className="task-cell w-6 justify-center px-0"
          onClick={({ currentTarget }) => handlers.edit(task, 'priority', currentTarget)}
          {...tip('Priority')}
        >
          <PriorityMark priority={task.priority} />
        </button>
      </div>
    </>
  )
}

/** Marks after the title: the checklist, a lock and “In progress”. */
function Extras({ task }: { task: ListedTask }) {
  const ticked = task.checklistItems.filter(({ completed }) => completed).length
  return (
    <>
      {task.checklistItems.length > 0 && (
        <span className="flex flex-none items-center gap-1 text-2xs text-ink-3 tabular">
          <ListChecks size={12} aria-hidden="true" />
          <span className="sr-only">Checklist: </span>
          {ticked}/{task.checklistItems.length}
        </span>
      )}
      {task.locked && (
        <Lock size={12} role="img" aria-label="frozen" className="flex-none text-ink-3" />
      )}
      {task.status === 'in_progress' && (
        <span className="flex-none rounded-[4px] bg-sunken px-1.5 text-2xs text-ink-2">
          In progress
        </span>
      )}
    </>
  )
}
