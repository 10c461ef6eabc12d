import type { FullDocument } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import { linkTask, unlinkTask } from '../../data/actions/documents.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'

const most = 6

/** The linked tasks, and a search for more. */
export function LinkedTasks({ document }: { document: FullDocument }) {
  const [words, setWords] = useState('')
  const { data: open = [] } = useQuery(queries.openTasks())
  const linked = new Set(document.tasks.map(({ taskId }) => taskId))
  const wanted = words.trim().toLowerCase()
  const found =
    wanted === ''
      ? []
      : open.filter(({ id, title }) => !linked.has(id) && title.toLowerCase().includes(wanted))

  return (
    <section aria-label="Tasks" className="flex flex-col gap-1.5">
      <TextField
        label="Tasks"
        type="search"
        placeholder="Link a task"
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      {found.slice(0, most).map((task) => (
        <button
          key={task.id}
          type="button"
          className="menu-item text-left hover:bg-hover"
          onClick={() => {
            setWords('')
            void perform(linkTask(document, task))
          }}
        >
          <span className="truncate">{task.title}</span>
        </button>
      ))}
      {wanted !== '' && found.length === 0 && (
        <p className="text-xs text-ink-3">No open tasks match.</p>
      )}
      <ul>
        {document.tasks.map(({ task }) => (
          <li key={task.id} className="flex items-center gap-1">
            <Link
              to="/tasks/$id"
              params={{ id: task.id }}
              className={`min-w-0 flex-1 truncate py-1 hover:underline ${task.status === 'completed' ? 'text-ink-3 line-through' : ''}`}
            >
              {task.title}
            </Link>
            <IconButton
              label={`Unlink “${task.title}”`}
              icon={<X size={14} />}
              onClick={() => void perform(unlinkTask(document, task))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
