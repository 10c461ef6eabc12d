import type { FullTask, Task } from '@daywright/contract'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { isOpen } from '../../../data/actions/change-tasks.ts'
import { setStatus } from '../../../data/actions/task-fields.ts'
import { perform } from '../../../data/run-mutation.ts'
import { formatMinutes } from '../../../time/format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SmallAdd } from '../quick-add/small-add.tsx'
import { useQuickAdd } from '../quick-add/use-quick-add.ts'
import { Section } from './section.tsx'

/** Subtasks get the space and project of this task. */
export function Subtasks({ task }: { task: FullTask }) {
  const { id: parentTaskId, spaceId, projectId } = task
  const field = useQuickAdd({ parentTaskId, spaceId, projectId })
  const done = task.subtasks.filter((subtask) => !isOpen(subtask)).length

  return (
    <Section
      title="Subtasks"
      {...(task.subtasks.length > 0 && { count: `${done} of ${task.subtasks.length}` })}
    >
      <ul>
        {task.subtasks.map((subtask) => (
          <li
            key={subtask.id}
            className="-mx-1 flex min-h-7 items-center gap-2 rounded-control px-1 hover:bg-hover"
          >
            <Checkbox
              label={`Complete “${subtask.title}”`}
              isLabelHidden
              isRound
              checked={!isOpen(subtask)}
              onChange={() => {
                const whole: Task = { ...subtask, ...related }
                void perform(setStatus([whole], isOpen(subtask) ? 'completed' : 'todo'))
              }}
            />
            <Link
              to="/tasks/$id"
              params={{ id: subtask.id }}
              className={`min-w-0 flex-1 truncate py-1 hover:underline ${isOpen(subtask) ? '' : 'text-ink-3 line-through'}`}
            >
              {subtask.title}
            </Link>
            {subtask.estimateMinutes ? (
              <span className="text-xs text-ink-3 tabular">
                {formatMinutes(subtask.estimateMinutes)}
              </span>
            ) : undefined}
          </li>
        ))}
      </ul>
      <SmallAdd
        field={field}
        label="Add a subtask"
        placeholder="Add a subtask"
        className="h-7 w-full bg-transparent outline-none"
        icon={<Plus size={16} aria-hidden="true" className="text-ink-3" />}
      />
    </Section>
  )
}

const related = { space: null, project: null, labels: [], checklistItems: [] }
