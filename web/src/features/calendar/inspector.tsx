import type { CalendarEvent, ListedTask, ListedTimeBlock } from '@daywright/contract'
import { CheckCheck, ExternalLink, Lock, LockOpen, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  isEvent,
  lockBlock,
  moveBlock,
  removeBlock,
  renameEvent,
} from '../../data/actions/blocks.ts'
import { finishTasks } from '../../data/actions/change-tasks.ts'
import { decideOnMissed } from '../../data/actions/missed-blocks.ts'
import { perform } from '../../data/run-mutation.ts'
import type { Action } from '../../data/action.ts'
import { useNow } from '../../time/clock.ts'
import { formatMinutes, formatWhen } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'
import { Swatch } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { PriorityMark } from '../../ui/priority-mark.tsx'
import { Panel } from '../../ui/screen.tsx'
import { useDraft } from '../../ui/use-draft.ts'
import { ClashNotice } from '../blocks/clash-notice.tsx'
import { choicesOf } from '../blocks/block-choices.ts'
import { lateText } from '../blocks/lateness.ts'
import { ChoiceIcon } from '../blocks/choice-icons.tsx'
import { colorOf, type Entry } from './entries.ts'
import { TimeFields } from './time-fields.tsx'
import { formatRange } from './format-range.ts'

type Props = {
  entry: Entry
  task: ListedTask | undefined
  plannedMinutes: number
  /** Events of other calendars, which the block may overlap. */
  events: CalendarEvent[]
  zone: Zone
  onClose: () => void
  onOpenTask: (id: string) => void
}

/** Details of one block: its time, the reason, and its commands. */
export function Inspector(props: Props) {
  const { entry, task, plannedMinutes, events, zone, onClose, onOpenTask } = props
  const { block } = entry
  if (!block) return null
  const late = entry.isMissed ? undefined : lateText(entry.endAt, entry.lateFor, zone)
  return (
    <Panel label={isEvent(block) ? 'Event' : 'Block'} title={entry.title} onClose={onClose}>
      <div className="flex flex-col gap-4 p-4">
        {isEvent(block) && <EventTitle block={block} />}
        {task && <TaskLink task={task} onOpen={onOpenTask} />}
        <TimeFields
          startAt={block.startAt}
          endAt={block.endAt}
          zone={zone}
          onChange={(place) =>
            void perform(
              moveBlock(block, place, `Moved “${entry.title}” to ${formatRange(place, zone)}.`),
            )
          }
        />
        <ClashNotice block={block} events={events} zone={zone} />
        {!isEvent(block) && <Reason entry={entry} late={late} />}
        <Choices block={block} isMissed={entry.isMissed} zone={zone} />
        <BlockCommands block={block} task={task} onClose={onClose} />
        {task && (
          <TaskFacts
            task={task}
            isLate={late !== undefined}
            plannedMinutes={plannedMinutes}
            zone={zone}
          />
        )}
        <p className="text-xs text-ink-3 pointer-coarse:hidden">
          <Kbd keys="alt+up" /> <Kbd keys="alt+down" /> move by 15 minutes, with{' '}
          <Kbd keys="shift" /> they resize.
        </p>
      </div>
    </Panel>
  )
}

function EventTitle({ block }: { block: ListedTimeBlock }) {
  const { text, type, finish, onKeyDown } = useDraft(block.title, (title) => {
    if (title.trim() !== '') void perform(renameEvent(block, title.trim()))
  })
  return (
    <TextField
      label="Title"
      maxLength={500}
      value={text}
      onChange={({ target }) => type(target.value)}
      onBlur={finish}
      onKeyDown={onKeyDown}
    />
  )
}

const act = (action: Action) => () => void perform(action)

const TaskLink = ({ task, onOpen }: { task: ListedTask; onOpen: (id: string) => void }) => (
  <button
    type="button"
    className="flex items-center gap-2 text-left text-ink-2 hover:text-ink"
    onClick={() => onOpen(task.id)}
  >
    <Swatch color={colorOf(task)} />
    <span className="min-w-0 flex-1 truncate">
      {task.project?.name ?? task.space?.name ?? 'No space'}
    </span>
    <span className="flex items-center gap-1 text-xs">
      Open task <ExternalLink size={12} aria-hidden="true" />
    </span>
  </button>
)

const Reason = ({ entry, late }: { entry: Entry; late: string | undefined }) => (
  <section>
    <h3 className="text-xs font-medium text-ink-3">Why this time?</h3>
    {late && <p className="mt-1 font-medium text-signal-ink">{late}.</p>}
    <p className="mt-1 text-ink-2">{reasonOf(entry)}</p>
    {entry.block?.defended && entry.block.source === 'auto' && (
      <p className="mt-1 text-ink-2">
        This is the last slot before the deadline, so it won’t be moved.
      </p>
    )}
  </section>
)

type ChoicesProps = { block: ListedTimeBlock; isMissed: boolean; zone: Zone }

/** The actions for a missed, current or coming block. */
function Choices({ block, isMissed, zone }: ChoicesProps) {
  const now = useNow()
  const choices = choicesOf(block, zone, now)
  if (!isMissed && choices.length === 0) return null
  return (
    <div role="group" aria-label="This block" className="grid grid-cols-2 gap-2">
      {isMissed && (
        <>
          <Button look="primary" onClick={act(decideOnMissed([block], 'plan-again') as Action)}>
            Reschedule
          </Button>
          <Button onClick={act(decideOnMissed([block], 'done') as Action)}>Mark done</Button>
          <Button onClick={act(decideOnMissed([block], 'drop') as Action)}>Drop</Button>
        </>
      )}
      {choices.map(({ id, label, keys, run }, index) => (
        <Button key={id} look={index === 0 ? 'primary' : 'plain'} keys={keys} onClick={run}>
          <ChoiceIcon id={id} /> {label}
        </Button>
      ))}
    </div>
  )
}

type CommandsProps = {
  block: ListedTimeBlock
  task: ListedTask | undefined
  onClose: () => void
}

const BlockCommands = ({ block, task, onClose }: CommandsProps) => (
  <div className="grid grid-cols-2 gap-2 border-t pt-4">
    {!isEvent(block) && (
      <Button keys="l" onClick={act(lockBlock(block, !block.locked))}>
        {block.locked ? <LockOpen size={14} /> : <Lock size={14} />}
        {block.locked ? 'Unlock' : 'Lock'}
      </Button>
    )}
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
      <Trash2 size={14} /> {isEvent(block) ? 'Delete' : 'Unschedule'}
    </Button>
  </div>
)

type FactsProps = { task: ListedTask; isLate: boolean; plannedMinutes: number; zone: Zone }

function TaskFacts({ task, isLate, plannedMinutes, zone }: FactsProps) {
  const now = useNow()
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 border-t pt-4">
      <Fact name="Priority">
        <PriorityMark priority={task.priority} />
        <span className="capitalize">{task.priority}</span>
      </Fact>
      <Fact name="Due" isLate={isLate}>
        {task.dueAt ? formatWhen(task.dueAt, zone, now) : 'No due date'}
      </Fact>
      <Fact name="Estimate">
        {task.estimateMinutes ? formatMinutes(task.estimateMinutes) : 'None'}
      </Fact>
      <Fact name="Planned">{formatMinutes(plannedMinutes)}</Fact>
    </dl>
  )
}

type FactProps = { name: string; isLate?: boolean; children: ReactNode }

const Fact = ({ name, isLate = false, children }: FactProps) => (
  <>
    <dt className="text-ink-3">{name}</dt>
    <dd className={`flex items-center gap-1.5 tabular ${isLate ? 'text-signal-ink' : ''}`}>
      {children}
    </dd>
  </>
)

function reasonOf({ block, explanation, isMissed }: Entry) {
  if (isMissed) return 'Its time has passed without any work on it.'
  if (block?.locked) return `You locked it here. ${explanation ?? ''}`
  if (block?.source !== 'auto') return 'You placed it here. The planner won’t move it.'
  return explanation ?? 'The planner placed it here.'
}
