import { useZone } from '../../data/profile.ts'
import type { ListedTask } from '@daywright/contract'
import { setStatus } from '../../data/actions/task-fields.ts'
import { perform } from '../../data/run-mutation.ts'
import { DueText } from '../tasks/list/due-text.tsx'
import { useNow } from '../../time/clock.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { tip } from '../../ui/tip.ts'

type Props = { tasks: ListedTask[]; onOpen: (taskId: string) => void }

export function DueToday({ tasks, onOpen }: Props) {
  const zone = useZone()
  const now = useNow()
  return (
    <section aria-label="Due today">
      <h2 className="mb-1 text-xs font-semibold">
        Due <span className="font-normal text-ink-3 tabular">{tasks.length || ''}</span>
      </h2>
      {tasks.length === 0 && <p className="text-xs text-ink-3">Nothing is due today.</p>}
      <ul>
        {tasks.map((task) => (
          <li
            key={task.id}
            className="-mx-1.5 flex min-h-7 items-center gap-2 rounded-control px-1.5 hover:bg-hover"
          >
            <Checkbox
              label={`Complete “${task.title}”`}
              {...tip('Complete task')}
              isLabelHidden
              isRound
              checked={false}
              onChange={() => void perform(setStatus([task], 'completed'))}
            />
            <button
              type="button"
              className="my-1 line-clamp-2 min-w-0 flex-1 text-left wrap-anywhere hover:underline"
              onClick={() => onOpen(task.id)}
            >
              {task.title}
            </button>
            <span className="flex-none text-xs text-ink-2 tabular">
              <DueText task={task} now={now} zone={zone} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
