// Commands for the focused or selected block, run by keys or from the command palette.
import type { ListedTask } from '@daywright/contract'
import type { Command } from '../../ui/commands/registry.ts'
import { isEvent, lockBlock, type Place, removeBlock } from '../../data/actions/blocks.ts'
import { finishTasks } from '../../data/actions/change-tasks.ts'
import { perform } from '../../data/run-mutation.ts'
import { minutesBetween, plusMinutes, type Zone, zoned } from '../../time/zone.ts'
import { choiceCommands } from '../blocks/block-choices.ts'
import type { Entry } from './entries.ts'
import { nudge, placeOf } from './nudge.ts'
import { formatRange } from './format-range.ts'

type Options = {
  entry: Entry | undefined
  task: ListedTask | undefined
  zone: Zone
  onOpen: (id: string) => void
  onMoved: (id: string, startAt: Date) => void
}

export function blockCommands({ entry, task, zone, onOpen, onMoved }: Options): Command[] {
  const block = entry?.block
  const group = 'Block'
  const isDisabled = !block

  /** Starts from the block's position at the time of the key press, which may be ahead of what is drawn. */
  const change = (next: (at: Place) => Place) => () => {
    if (!block) return
    const place = next(placeOf(block))
    if (place.endAt <= place.startAt) return
    nudge(block, place, (at) => `“${block.title}” is at ${formatRange(at, zone)}.`)
    onMoved(block.id, place.startAt)
  }
  const later = (minutes: number) =>
    change(({ startAt, endAt }) => ({
      startAt: plusMinutes(startAt, minutes),
      endAt: plusMinutes(endAt, minutes),
    }))
  const longer = (minutes: number) =>
    change(({ startAt, endAt }) => ({ startAt, endAt: plusMinutes(endAt, minutes) }))
  /** Keeps the local time across a daylight saving change. */
  const onDay = (days: number) =>
    change((at) => {
      const startAt = new Date(zoned(at.startAt, zone).add({ days }).epochMilliseconds)
      return { startAt, endAt: plusMinutes(startAt, minutesBetween(at.startAt, at.endAt)) }
    })
  const make = (id: string, title: string, keys: string, run: () => void): Command => ({
    id: `block.${id}`,
    title,
    group,
    keys,
    isDisabled,
    run,
  })

  return [
    make('open', 'Open the block', 'enter', () => block && onOpen(block.id)),
    make('earlier', 'Move 15 minutes earlier', 'alt+up', later(-15)),
    make('later', 'Move 15 minutes later', 'alt+down', later(15)),
    make('day-before', 'Move to the day before', 'alt+left', onDay(-1)),
    make('day-after', 'Move to the next day', 'alt+right', onDay(1)),
    make('shorter', 'Make 15 minutes shorter', 'alt+shift+up', longer(-15)),
    make('longer', 'Make 15 minutes longer', 'alt+shift+down', longer(15)),
    make('lock', block?.locked ? 'Unlock the block' : 'Lock the block', 'l', () => {
      if (block) void perform(lockBlock(block, !block.locked))
    }),
    ...choiceCommands(block, zone, group),
    make(
      'complete',
      'Complete its task',
      'x',
      () => task && void perform(finishTasks([task], 'complete')),
    ),
    make('remove', block && isEvent(block) ? 'Delete the event' : 'Unschedule', 'delete', () => {
      if (block) void perform(removeBlock(block))
    }),
  ]
}
