import type { ListedTimeBlock } from '@daywright/contract'
import { Ellipsis } from 'lucide-react'
import { useNow } from '../../time/clock.ts'
import { formatMinutes, formatTime } from '../../time/format.ts'
import { useZone } from '../../data/profile.ts'
import { minutesBetween } from '../../time/zone.ts'
import { hue } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { choicesOf } from '../blocks/block-choices.ts'
import { ChoiceIcon } from '../blocks/choice-icons.tsx'

type Props = {
  block: ListedTimeBlock
  color: string | null | undefined
  onOpen: (taskId: string) => void
}

/** The current block, and its remaining time. */
export function NowCard({ block, color, onOpen }: Props) {
  const zone = useZone()
  const now = useNow()
  const length = minutesBetween(block.startAt, block.endAt)
  const left = minutesBetween(now, block.endAt)
  const passed = Math.max(0, Math.min(1, 1 - left / length))
  const { taskId } = block
  const choices = choicesOf(block, zone, now)
  const [shown, others] = [choices.slice(0, 3), choices.slice(3)]
  return (
    <section
      aria-label="Now"
      className="hue relative overflow-hidden rounded-[10px] border border-edge bg-fill px-4 pt-3 pb-4 text-on"
      style={hue(color)}
    >
      <p className="text-xs font-medium tabular">
        {block.status === 'in_progress' ? 'In progress' : 'Now'} · {formatTime(block.startAt, zone)}
        –{formatTime(block.endAt, zone)}
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="min-w-0 flex-1 basis-48 text-lg font-semibold">
          {taskId ? (
            <button
              type="button"
              className="text-left hover:underline"
              onClick={() => onOpen(taskId)}
            >
              {block.task?.title ?? block.title}
            </button>
          ) : (
            block.title
          )}
        </h2>
        <div className="flex flex-wrap gap-1.5 text-ink">
          {shown.map(({ id, label, keys, run }) => (
            <Button key={id} look={id === 'done' ? 'primary' : 'plain'} keys={keys} onClick={run}>
              <ChoiceIcon id={id} /> {label}
            </Button>
          ))}
          {others.length > 0 && (
            <Menu
              trigger={
                <IconButton look="plain" label="Another time" icon={<Ellipsis size={15} />} />
              }
            >
              {others.map(({ id, label, keys, run }) => (
                <MenuItem key={id} icon={<ChoiceIcon id={id} />} keys={keys} onSelect={run}>
                  {label}
                </MenuItem>
              ))}
            </Menu>
          )}
        </div>
      </div>
      <p className="mt-1 text-xs tabular">
        {left > 0 ? `${formatMinutes(Math.max(1, left))} left` : `${formatMinutes(-left)} over`}
      </p>
      <div aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1 bg-kept">
        <div className="h-full bg-bar" style={{ width: `${passed * 100}%` }} />
      </div>
    </section>
  )
}
