import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore, CornerLeftUp, Trash2 } from 'lucide-react'
import { deleteTasks, finishTasks, isOpen } from '../../../data/actions/change-tasks.ts'
import { setStatus } from '../../../data/actions/task-fields.ts'
import { perform } from '../../../data/run-mutation.ts'
import { queries } from '../../../data/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { NotLoaded } from '../../../ui/not-loaded.tsx'
import '../tasks.css'
import { Blocks } from './blocks.tsx'
import { Checklist } from './checklist.tsx'
import { DependencyLists } from './dependency-lists.tsx'
import { Description } from './description.tsx'
import { LinkedDocuments } from './linked-documents.tsx'
import { Past } from './task-history.tsx'
import { Planning } from './planning.tsx'
import { Properties } from './properties.tsx'
import { Fold } from './section.tsx'
import { Subtasks } from './subtasks.tsx'
import { TitleField } from './title-field.tsx'

type Props = { id: string; isWide?: boolean; onGone: () => void }

/** Everything about one task. Each part is saved separately. */
export function TaskInspector({ id, isWide = false, onGone }: Props) {
  const { data: task, error } = useQuery(queries.task(id))
  if (error && !task) return <NotLoaded what="task" error={error} />
  if (!task) return <div role="status" aria-label="Loading" className="h-40" />
  const isDone = !isOpen(task)

  return (
    <article className={isWide ? 'mx-auto w-full max-w-3xl pb-16' : 'pb-10'}>
      {isWide && <h2 className="sr-only">{task.title}</h2>}
      <div className={`px-4 ${isWide ? 'pt-6' : 'pt-3'}`}>
        {task.parentTask && (
          <Link
            to="/tasks/$id"
            params={{ id: task.parentTask.id }}
            className="mb-1 flex items-center gap-1 text-xs text-ink-3 hover:text-ink"
          >
            <CornerLeftUp size={12} aria-hidden="true" />
            <span className="sr-only">Part of </span>
            <span className="truncate">{task.parentTask.title}</span>
          </Link>
        )}
        <div className="flex items-start gap-2.5">
          <Checkbox
            label={isDone ? 'Reopen' : 'Complete'}
            isLabelHidden
            isRound
            className={isWide ? 'mt-2' : 'mt-1.5'}
            checked={isDone}
            onChange={() => void perform(setStatus([task], isDone ? 'todo' : 'completed'))}
          />
          <TitleField task={task} isWide={isWide} />
        </div>
        <Description task={task} />
      </div>
      <Properties task={task} />
      <Checklist task={task} />
      <Subtasks task={task} />
      <Blocks task={task} />
      <DependencyLists task={task} />
      <LinkedDocuments task={task} />
      <Fold title="Scheduling">{() => <Planning task={task} />}</Fold>
      <Fold title="History">{() => <Past task={task} />}</Fold>
      <div className="flex gap-2 border-t px-4 py-3">
        {task.status === 'archived' ? (
          <Button onClick={() => void perform(setStatus([task], 'todo'))}>
            <ArchiveRestore size={14} aria-hidden="true" />
            Restore
          </Button>
        ) : (
          <Button
            onClick={() => {
              onGone()
              void perform(finishTasks([task], 'archive'))
            }}
          >
            <Archive size={14} aria-hidden="true" />
            Archive
          </Button>
        )}
        <Button
          look="danger"
          onClick={() => {
            onGone()
            void perform(deleteTasks([task]))
          }}
        >
          <Trash2 size={14} aria-hidden="true" />
          Delete
        </Button>
      </div>
    </article>
  )
}
