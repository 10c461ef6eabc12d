import type { ListedTimeBlock, MissedAction } from '@daywright/contract'
import { Ellipsis } from 'lucide-react'
import type { Action } from '../../data/action.ts'
import { decideOnMissed, isReplanned } from '../../data/actions/missed-blocks.ts'
import { useZone } from '../../data/profile.ts'
import { perform } from '../../data/run-mutation.ts'
import { useNow } from '../../time/clock.ts'
import {
  formatMinutes,
  formatRelativeDay,
  formatTime,
  formatWhenInText,
} from '../../time/format.ts'
import { minutesBetween } from '../../time/zone.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'

type Props = {
  blocks: ListedTimeBlock[]
  /** When each task is planned next, by task id. */
  next: Map<string, Date>
  onOpen: (taskId: string) => void
}

const decide = (blocks: ListedTimeBlock[], action: MissedAction) =>
  void perform(decideOnMissed(blocks, action) as Action)

/** The missed blocks of any day. The user marks each as done, reschedules it or drops it. */
export function Unfinished({ blocks, next, onOpen }: Props) {
  const zone = useZone()
  const now = useNow()
  if (blocks.length === 0) return undefined
  const areReplanned = blocks.every(isReplanned)
  const days = Map.groupBy(blocks, ({ startAt }) => formatRelativeDay(startAt, zone, now))
  return (
    <section aria-label="Unfinished" className="rounded-[10px] border px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="flex-1 font-semibold tabular">{blocks.length} unfinished</h2>
        <Button look="primary" onClick={() => decide(blocks, 'plan-again')}>
          {areReplanned ? 'OK' : 'Reschedule all'}
        </Button>
        <Menu
          trigger={
            <IconButton look="plain" label="All unfinished blocks" icon={<Ellipsis size={15} />} />
          }
        >
          <MenuItem onSelect={() => decide(blocks, 'done')}>Mark all done</MenuItem>
          <MenuItem onSelect={() => decide(blocks, 'drop')}>Drop all</MenuItem>
        </Menu>
      </div>
      {areReplanned && <p className="text-xs text-ink-3">Rescheduled automatically.</p>}
      {[...days].map(([day, ofDay]) => (
        <div key={day}>
          <h3 className="mt-2 text-xs font-medium text-ink-3">{day}</h3>
          <ul>
            {ofDay.map((block) => (
              <Row
                key={block.id}
                block={block}
                next={block.taskId === null ? undefined : next.get(block.taskId)}
                onOpen={onOpen}
              />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

type RowProps = {
  block: ListedTimeBlock
  next: Date | undefined
  onOpen: (taskId: string) => void
}

function Row({ block, next, onOpen }: RowProps) {
  const zone = useZone()
  const now = useNow()
  const { taskId } = block
  const title = block.task?.title ?? block.title
  const replanned = isReplanned(block)
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1">
      <div className="min-w-0 flex-1 basis-44">
        <button
          type="button"
          className="line-clamp-2 max-w-full text-left wrap-anywhere hover:underline"
          disabled={taskId === null}
          onClick={() => taskId && onOpen(taskId)}
        >
          {title}
        </button>
        <p className="text-xs text-ink-3 tabular">
          {formatTime(block.startAt, zone)}–{formatTime(block.endAt, zone)} ·{' '}
          {formatMinutes(minutesBetween(block.startAt, block.endAt))}
          {replanned &&
            (next
              ? ` · now planned for ${formatWhenInText(next, zone, now)}`
              : ' · not planned yet')}
        </p>
      </div>
      <div className="flex gap-1 max-md:-ml-2.5" role="group" aria-label={title}>
        <Button look="quiet" onClick={() => decide([block], 'done')}>
          Mark done
        </Button>
        <Button look="quiet" onClick={() => decide([block], 'drop')}>
          Drop
        </Button>
        {!replanned && <Button onClick={() => decide([block], 'plan-again')}>Reschedule</Button>}
      </div>
    </li>
  )
}
