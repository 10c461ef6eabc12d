import type { ListedTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { archivedKey, deleteTasks } from '../../data/actions/change-tasks.ts'
import { setStatus } from '../../data/actions/task-fields.ts'
import { api } from '../../data/api.ts'
import { perform } from '../../data/run-mutation.ts'
import { formatDate } from '../../time/format.ts'
import { useZone } from '../../data/profile.ts'
import { plusMinutes } from '../../time/zone.ts'
import { Swatch } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'
import { ListSkeleton } from './list/list-skeleton.tsx'
import './tasks.css'

const atFirst = 200
// The planner deletes a task that has been archived for longer than this.
const keptMinutes = 30 * 24 * 60

/** The archived tasks, the latest first. */
export function ArchiveScreen() {
  const { data, isPending } = useQuery({
    queryKey: archivedKey,
    queryFn: () => Array.fromAsync(api.tasks.all({ status: 'archived' })),
    staleTime: 0,
  })
  const tasks = (data ?? [])
    .filter(({ status }) => status === 'archived')
    .toSorted((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime())
  return (
    <Screen
      title="Archive"
      lead={<span className="text-ink-3 tabular">{data && tasks.length}</span>}
    >
      {isPending ? (
        <ListSkeleton />
      ) : tasks.length === 0 ? (
        <EmptyState title="The archive is empty">
          Archived tasks stay here for 30 days. They are not planned, and no other list shows them.
        </EmptyState>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto pb-6">
          <p className="border-b px-3 py-2 text-xs text-ink-3 md:px-4">
            Archived tasks are kept for 30 days. The first plan after that deletes them.
          </p>
          <ul aria-label="Archived tasks">
            {tasks.slice(0, atFirst).map((task) => (
              <Archived key={task.id} task={task} />
            ))}
            {tasks.length > atFirst && (
              <li className="px-4 py-3 text-xs text-ink-3">
                And {tasks.length - atFirst} that were archived earlier.
              </li>
            )}
          </ul>
        </div>
      )}
    </Screen>
  )
}

function Archived({ task }: { task: ListedTask }) {
  const zone = useZone()
  const navigate = useNavigate()
  const place = task.project ?? task.space
  return (
    <li className="flex min-h-10 items-center gap-2 border-b px-3 hover:bg-hover md:px-4">
      <button
        type="button"
        className="min-w-0 flex-1 truncate py-2 text-left hover:underline"
        onClick={() => void navigate({ to: '/tasks/$id', params: { id: task.id } })}
      >
        {task.title}
      </button>
      {place && (
        <span className="flex items-center gap-1.5 text-xs text-ink-3 max-md:hidden">
          <Swatch color={place.color} />
          {place.name}
        </span>
      )}
      <span className="w-32 flex-none text-right text-xs text-ink-3 tabular">
        until {formatDate(plusMinutes(task.updatedAt, keptMinutes), zone)}
      </span>
      <Button look="quiet" onClick={() => void perform(setStatus([task], 'todo'))}>
        <ArchiveRestore size={14} aria-hidden="true" />
        <span className="max-md:sr-only">Restore</span>
      </Button>
      <IconButton
        label={`Delete “${task.title}”`}
        icon={<Trash2 size={14} />}
        onClick={() => void perform(deleteTasks([task]))}
      />
    </li>
  )
}
