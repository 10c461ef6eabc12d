import type { ListedTask } from '@daywright/contract'
import { Check, CheckCheck, ExternalLink, Lock, LockOpen, Play, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  completeBlock,
  lockBlock,
  moveBlock,
  removeBlock,
  startBlock,
} from '../data/actions/blocks.ts'
import { finishTasks } from '../data/actions/change-tasks.ts'
import { type Action, perform } from '../data/perform.ts'
import { useNow } from '../time/clock.ts'
import { formatMinutes, formatWhen } from '../time/format.ts'
import type { Zone } from '../time/zone.ts'
import { Swatch } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { PriorityMark } from '../ui/priority-mark.tsx'
import { Panel } from '../ui/screen.tsx'
import { colorOf, type Entry } from './entries.ts'
import { TimeFields } from './time-fields.tsx'
import { formatRange } from './words.ts'

type Props = {
  entry: Entry
  task: ListedTask | undefined
  plannedMinutes: number
  zone: Zone
  onClose: () => void
  onOpenTask: (id: string) => void
}

/** Details of one block: its time, the reason, and its commands. */
export function Inspector({ entry, task, plannedMinutes, zone, onClose, onOpenTask }: Props) {
  const now = useNow()
  const { block } = entry
  if (!block) return null
  const act = (action: Action) => () => void perform(action)
  return (
    <Panel label="Block" title={entry.title} onClose={onClose}>
      <div className="flex flex-col gap-4 p-4">
        {task && (
          <button
            type="button"
            className="flex items-center gap-2 text-left text-ink-2 hover:text-ink"
            onClick={() => onOpenTask(task.id)}
          >
            <Swatch color={colorOf(task)} />
            <span className="min-w-0 flex-1 truncate">
              {task.project?.name ?? task.space?.name ?? 'No space'}
            </span>
            <span className="flex items-center gap-1 text-xs">
              Open task <ExternalLink size={12} aria-hidden="true" />
            </span>
          </button>
        )}

        <TimeFields
          key={block.id}
          startAt={block.startAt}
          endAt={block.endAt}
          zone={zone}
          onChange={(place) =>
            void perform(
              moveBlock(block, place, `Moved “${entry.title}” to ${formatRange(place, zone)}.`),
            )
          }
        />

        <section>
          <h3 className="text-xs font-medium text-ink-3">Why this time?</h3>
          <p className="mt-1 text-ink-2">{reasonOf(entry)}</p>
          {block.defended && (
            <p className="mt-1 text-ink-2">
              This is the last slot before the deadline, so it won’t be moved.
            </p>
          )}
        </section>

        <div className="grid grid-cols-2 gap-2">
          <Button keys="l" onClick={act(lockBlock(block, !block.locked))}>
            {block.locked ? <LockOpen size={14} /> : <Lock size={14} />}
            {block.locked ? 'Unlock' : 'Lock'}
          </Button>
          <Button keys="b" disabled={block.status !== 'scheduled'} onClick={act(startBlock(block))}>
            <Play size={14} /> Start
          </Button>
          <Button keys="d" disabled={entry.isDone} onClick={act(completeBlock(block))}>
            <Check size={14} /> Done for now
          </Button>
          {task && (
            <Button keys="x" onClick={act(finishTasks([task], 'complete'))}>
              <CheckCheck size={14} /> Complete task
            </Button>
          )}
          <Button
            look="danger"
            keys="delete"
            className="col-span-2"
            onClick={() => {
              onClose()
              void perform(removeBlock(block))
            }}
          >
            <Trash2 size={14} /> Unschedule
          </Button>
        </div>

        {task && (
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 border-t pt-4">
            <Fact name="Priority">
              <PriorityMark priority={task.priority} />
              <span className="capitalize">{task.priority}</span>
            </Fact>
            <Fact name="Due">{task.dueAt ? formatWhen(task.dueAt, zone, now) : 'No due date'}</Fact>
            <Fact name="Estimate">
              {task.estimateMinutes ? formatMinutes(task.estimateMinutes) : 'None'}
            </Fact>
            <Fact name="Planned">{formatMinutes(plannedMinutes)}</Fact>
          </dl>
        )}
        <p className="text-xs text-ink-3 pointer-coarse:hidden">
          <Kbd keys="alt+up" /> <Kbd keys="alt+down" /> move by 15 minutes, with{' '}
          <Kbd keys="shift" /> they resize.
        </p>
      </div>
    </Panel>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-ink-3">{name}</dt>
    <dd className="flex items-center gap-1.5 tabular">{children}</dd>
  </>
)

function reasonOf({ block, explanation }: Entry) {
  if (block?.locked) return `You locked it here. ${explanation ?? ''}`
  if (block?.source !== 'auto') return 'You placed it here. No plan moves it.'
  return explanation ?? 'The planner placed it here.'
}
