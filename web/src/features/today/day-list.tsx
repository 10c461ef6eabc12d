import type { CalendarEvent, ListedTimeBlock } from '@daywright/contract'
import { CalendarClock, Lock, LockOpen, Play } from 'lucide-react'
import { useState } from 'react'
import { completeBlock, startBlock } from '../../data/actions/block-actions.ts'
import { isEvent, lockBlock } from '../../data/actions/blocks.ts'
import { decideOnMissed } from '../../data/actions/missed-blocks.ts'
import { perform } from '../../data/run-mutation.ts'
import { useNow } from '../../time/clock.ts'
import { formatMinutes, formatTime } from '../../time/format.ts'
import { useZone } from '../../data/profile.ts'
import { minutesBetween } from '../../time/zone.ts'
import { hue } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { PriorityMark } from '../../ui/priority-mark.tsx'
import { tip } from '../../ui/tip.ts'
import { canFindTime, clashesOf, clashText, findAnotherTime } from '../blocks/clashes.ts'
import { CalendarNotes } from '../calendars/calendar-notes.tsx'
import type { ShownEvent } from '../calendars/shown-events.ts'
import { AgendaEvent } from './agenda-event.tsx'
import { agendaOf, type Day } from './day.ts'

type Colors = Map<string, string | null>
type Props = {
  day: Day
  /** Today's events of other calendars. `all` includes hidden ones, which may also clash with blocks. */
  events: { shown: ShownEvent[]; all: CalendarEvent[] }
  colors: Colors
  onOpen: (taskId: string) => void
}

/** Today's blocks and events in order, with a line at the current time. */
export function DayList({ day, events, colors, onOpen }: Props) {
  const now = useNow()
  const zone = useZone()
  const agenda = agendaOf(day.blocks, events.shown)
  const firstToCome = agenda.find(({ startAt }) => startAt > now)
  return (
    <section aria-label="Today’s plan">
      <h2 className="mb-1 text-xs font-semibold">Today’s plan</h2>
      <ol>
        {agenda.map((item) => (
          <li key={item.id}>
            {item === firstToCome && (
              <div className="flex h-5 items-center gap-2 text-2xs font-medium text-signal-ink tabular">
                <span>{formatTime(now, zone)}</span>
                <span className="h-px flex-1 bg-signal" />
              </div>
            )}
            {item.event ? (
              <AgendaEvent event={item.event} />
            ) : (
              <Item
                block={item.block}
                clash={clashesOf(item.block, events.all, now)[0]}
                color={colors.get(item.block.taskId ?? '')}
                isNext={item.block === day.next}
                onOpen={onOpen}
              />
            )}
          </li>
        ))}
      </ol>
      <CalendarNotes />
    </section>
  )
}

type ItemProps = {
  block: ListedTimeBlock
  clash: CalendarEvent | undefined
  color: string | null | undefined
  isNext: boolean
  onOpen: (taskId: string) => void
}

function Item({ block, clash, color, isNext, onOpen }: ItemProps) {
  const zone = useZone()
  const now = useNow()
  const title = block.task?.title ?? block.title
  const isDone = block.status === 'completed'
  const isMissed = !isEvent(block) && block.status === 'scheduled' && block.endAt <= now
  const { taskId } = block
  const isKept = block.source === 'manual' || block.locked
  return (
    <div className="group -mx-2 flex items-center gap-2.5 rounded-control px-2 py-1.5 hover:bg-hover">
      <span
        className={`w-10 flex-none text-right text-xs tabular ${isDone ? 'text-ink-3' : 'text-ink-2'}`}
      >
        {formatTime(block.startAt, zone)}
      </span>
      <span
        className={`hue w-1 flex-none self-stretch rounded-full ${isDone ? 'bg-edge' : isKept ? 'bg-bar' : 'bar-dashed'}`}
        style={hue(color)}
        {...tip(isKept ? 'Yours: the planner won’t move it' : 'Placed by the planner')}
      />
      {!isEvent(block) && (
        <Checkbox
          label={`Finish this session of “${title}”`}
          {...tip('Finish this session')}
          isLabelHidden
          isRound
          checked={isDone}
          disabled={isDone}
          onChange={() => void perform(completeBlock(block))}
        />
      )}
      {block.task && <PriorityMark priority={block.task.priority} />}
      <div className="min-w-0 flex-1">
        <button
          type="button"
          disabled={taskId === null}
          className={`line-clamp-2 max-w-full text-left wrap-anywhere hover:underline ${isDone ? 'text-ink-3 line-through' : 'font-medium'}`}
          onClick={() => taskId && onOpen(taskId)}
        >
          {title}
        </button>
        <p className="truncate text-xs text-ink-3 tabular">
          {formatMinutes(minutesBetween(block.startAt, block.endAt))}, until{' '}
          {formatTime(block.endAt, zone)}
          {isNext && ' · next'}
          {block.status === 'in_progress' && ' · in progress'}
          {isMissed && <span className="text-caution"> · missed</span>}
        </p>
        {clash && <p className="truncate text-xs text-caution">{clashText(clash, zone)}</p>}
      </div>
      {clash && canFindTime(block, now) && <FindTime block={block} title={title} />}
      {!isDone && !isEvent(block) && (
        <div className="flex">
          {block.status === 'scheduled' && !isMissed && (
            <IconButton
              label={`Start “${title}” now`}
              icon={<Play size={14} />}
              className="on-hover"
              onClick={() => void perform(startBlock(block))}
            />
          )}
          {isMissed && taskId !== null && (
            <IconButton
              label={`Reschedule “${title}”`}
              icon={<CalendarClock size={14} />}
              onClick={() => void perform(decideOnMissed([block], 'plan-again'))}
            />
          )}
          <IconButton
            label={block.locked ? `Unlock “${title}”` : `Lock “${title}”`}
            icon={block.locked ? <Lock size={14} /> : <LockOpen size={14} />}
            className={block.locked ? '' : 'on-hover'}
            onClick={() => void perform(lockBlock(block, !block.locked))}
          />
        </div>
      )}
    </div>
  )
}

function FindTime({ block, title }: { block: ListedTimeBlock; title: string }) {
  const zone = useZone()
  const [isLooking, setLooking] = useState(false)
  async function find() {
    setLooking(true)
    await findAnotherTime(block, zone)
    setLooking(false)
  }
  return (
    <IconButton
      label={`Find another time for “${title}”`}
      icon={<CalendarClock size={14} />}
      disabled={isLooking}
      onClick={() => void find()}
    />
  )
}
