import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { queries } from '../../data/queries.ts'

const most = 5

/** Links to the notification's tasks that are still open. */
export function TasksOf({ metadata }: { metadata: Record<string, unknown> }) {
  const { data: open = [] } = useQuery(queries.openTasks())
  const ids = Array.isArray(metadata.taskIds) ? metadata.taskIds : []
  const tasks = open.filter(({ id }) => ids.includes(id))
  if (tasks.length === 0) return null
  return (
    <ul className="mt-1.5 flex flex-wrap gap-1.5">
      {tasks.slice(0, most).map(({ id, title }) => (
        <li key={id} className="max-w-full">
          <Link to="/tasks/$id" params={{ id }} className="button button-plain max-w-full">
            <span className="truncate">{title}</span>
          </Link>
        </li>
      ))}
      {tasks.length > most && (
        <li className="self-center text-xs text-ink-3">and {tasks.length - most} more</li>
      )}
    </ul>
  )
}
