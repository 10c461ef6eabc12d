import type { FullTask, Task } from '@daywright/contract'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { isOpen } from '../../data/actions/change-tasks.ts'
import { setStatus } from '../../data/actions/task-fields.ts'
import { createTask } from '../../data/actions/tasks.ts'
import { keys } from '../../data/keys.ts'
import { perform } from '../../data/perform.ts'
import { formatMinutes } from '../../time/format.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Section } from './section.tsx'

/** Subtasks get the space and project of this task. */
export function Subtasks({ task }: { task: FullTask }) {
  const [title, setTitle] = useState('')
  const done = task.subtasks.filter((subtask) => !isOpen(subtask)).length

  async function add(event: SubmitEvent) {
    event.preventDefault()
    const words = title.trim()
    if (words === '') return
    setTitle('')
    const { spaceId, projectId } = task
    const action = createTask({ title: words, parentTaskId: task.id, spaceId, projectId })
    const { ok } = await perform({
      ...action,
      refreshes: [...(action.refreshes ?? []), keys.task(task.id)],
    })
    if (!ok) setTitle(words)
  }

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
      <form onSubmit={(event) => void add(event)} className="flex items-center gap-2">
        <Plus size={16} aria-hidden="true" className="text-ink-3" />
        <input
          aria-label="Add a subtask"
          placeholder="Add a subtask"
          maxLength={500}
          className="h-7 flex-1 bg-transparent outline-none"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </form>
    </Section>
  )
}

const related = { space: null, project: null, labels: [], checklistItems: [] }
