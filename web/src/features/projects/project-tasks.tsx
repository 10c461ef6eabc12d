import { useZone } from '../../data/profile.ts'
import type { FullProject, ListedTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { finishTasks } from '../../data/actions/change-tasks.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatMinutes, formatRelativeDay } from '../../time/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { PriorityMark } from '../../ui/priority-mark.tsx'
import { SmallAdd } from '../tasks/quick-add/small-add.tsx'
import { useQuickAdd } from '../tasks/quick-add/use-quick-add.ts'

export function ProjectTasks({ project }: { project: FullProject }) {
  const { data: open = [] } = useQuery(queries.openTasks())
  const field = useQuickAdd({ projectId: project.id, spaceId: project.spaceId })
  const tasks = open
    .filter(({ projectId }) => projectId === project.id)
    .toSorted((one, other) => dueTime(one) - dueTime(other) || one.sortOrder - other.sortOrder)

  return (
    <section aria-labelledby="project-tasks">
      <h2 id="project-tasks" className="mb-2 text-base font-semibold">
        Open tasks <span className="font-normal text-ink-3 tabular">{tasks.length}</span>
      </h2>
      <SmallAdd
        field={field}
        label="Add a task to this project"
        placeholder="Add a task"
        className="input"
      />
      {tasks.length === 0 && <p className="py-2 text-ink-3">No open tasks.</p>}
      <ul>
        {tasks.map((task) => (
          <Row key={task.id} task={task} />
        ))}
      </ul>
    </section>
  )
}

const dueTime = ({ dueAt }: ListedTask) => dueAt?.getTime() ?? Number.MAX_SAFE_INTEGER

function Row({ task }: { task: ListedTask }) {
  const zone = useZone()
  const now = useNow()
  const isLate = task.dueAt !== null && task.dueAt < now
  return (
    <li className="flex min-h-9 items-center gap-2.5 border-b py-1">
      <Checkbox
        isRound
        isLabelHidden
        label={`Complete “${task.title}”`}
        checked={false}
        onChange={() => void perform(finishTasks([task], 'complete'))}
      />
      <PriorityMark priority={task.priority} />
      <Link
        to="/tasks/$id"
        params={{ id: task.id }}
        className="min-w-0 flex-1 truncate hover:underline"
      >
        {task.title}
      </Link>
      {task.labels.slice(0, 2).map(({ id, name }) => (
        <span key={id} className="hidden md:inline-flex">
          <Badge>{name}</Badge>
        </span>
      ))}
      {task.dueAt && (
        <span className={`text-xs tabular ${isLate ? 'text-signal-ink' : 'text-ink-3'}`}>
          {formatRelativeDay(task.dueAt, zone, now)}
        </span>
      )}
      <span className="w-14 text-right text-xs text-ink-3 tabular">
        {task.estimateMinutes === null ? '' : formatMinutes(task.estimateMinutes)}
      </span>
    </li>
  )
}
