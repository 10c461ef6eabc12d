// The actions for a block. Today, the calendar's panel and the keyboard shortcuts share them.
import type { ListedTimeBlock } from '@daywright/contract'
import type { Action } from '../../data/action.ts'
import {
  completeBlock,
  extendBlock,
  moveAndPlan,
  skipBlock,
  startBlock,
  stopBlock,
} from '../../data/actions/block-actions.ts'
import { cachedBlocks } from '../../data/actions/block-cache.ts'
import { isEvent } from '../../data/actions/blocks.ts'
import { hoursOf, keptBlocks } from '../../data/hours.ts'
import { perform } from '../../data/run-mutation.ts'
import { toast } from '../../data/toasts.ts'
import { now } from '../../time/clock.ts'
import { dayOf, minutesBetween, plusMinutes, startOfDay, type Zone } from '../../time/zone.ts'
import type { Command } from '../../ui/commands/registry.ts'
import { nextFree } from './next-free.ts'

export type Choice = {
  id: 'start' | 'stop' | 'done' | 'extend' | 'not-now' | 'tomorrow' | 'skip-day'
  label: string
  keys: string
  run: () => void
}

const quarterMs = 15 * 60_000
const notNowMinutes = 60
const extraMinutes = 15

export function choicesOf(block: ListedTimeBlock, zone: Zone, time: Date): Choice[] {
  const act = (action: Action) => void perform(action)
  const isRunning = block.status === 'in_progress'
  const isPlanned = block.status === 'scheduled' && block.endAt > time
  if (isEvent(block) || (!isRunning && !isPlanned)) return []
  const day = dayOf(block.startAt, zone)
  const today = dayOf(time, zone)
  const isToday = Temporal.PlainDate.compare(day, today) <= 0
  const isOfTask = block.taskId !== null
  const done: Choice = {
    id: 'done',
    label: 'Done',
    keys: 'd',
    run: () => act(completeBlock(block)),
  }
  const extend: Choice = {
    id: 'extend',
    label: '+15 min',
    keys: 'e',
    run: () => act(extendBlock(block, extraMinutes) as Action),
  }
  if (isRunning) {
    const stop = () => act(stopBlock(block) as Action)
    return [done, { id: 'stop', label: 'Stop', keys: 's', run: stop }, extend]
  }
  const skipTo = (until: () => Date) => () => act(skipBlock(block, until()) as Action)
  const choices: (Choice | false)[] = [
    isOfTask && {
      id: 'start',
      label: 'Start now',
      keys: 's',
      run: () => act(startBlock(block) as Action),
    },
    done,
    extend,
    isOfTask && isToday && { id: 'not-now', label: 'Not now', keys: 'n', run: skipTo(notNow) },
    isOfTask &&
      isToday && {
        id: 'tomorrow',
        label: 'Do tomorrow',
        keys: 'm',
        run: () => void doTomorrow(block, zone),
      },
    isOfTask && {
      id: 'skip-day',
      label: isToday ? 'Skip today' : 'Skip this day',
      keys: 'shift+s',
      run: skipTo(() => startOfDay((isToday ? today : day).add({ days: 1 }), zone)),
    },
  ]
  return choices.filter((choice) => choice !== false)
}

/** An hour from now, rounded up to a quarter of an hour. */
const notNow = () =>
  new Date(Math.ceil(plusMinutes(now(), notNowMinutes).getTime() / quarterMs) * quarterMs)

/** Moves the block to the next free time from tomorrow on. Blocks that the planner may move count as free time. */
async function doTomorrow(block: ListedTimeBlock, zone: Zone) {
  const time = now()
  const from = startOfDay(dayOf(time, zone).add({ days: 1 }), zone)
  const others = cachedBlocks().filter(({ id, endAt }) => id !== block.id && endAt > from)
  const kept = keptBlocks(others, time)
  const place = nextFree(minutesBetween(block.startAt, block.endAt), from, {
    blocks: kept.filter(({ status }) => status !== 'completed'),
    hours: await hoursOf(block.taskId, kept, time),
    zone,
  })
  if (!place) return void toast('There is no free time for it in the next four weeks.')
  await perform(moveAndPlan(block, place))
}

const titles: Record<Choice['id'], string> = {
  start: 'Start the block now',
  stop: 'Stop the running block',
  done: 'Done with this block',
  extend: 'Add 15 minutes',
  'not-now': 'Not now: plan it later',
  tomorrow: 'Do it tomorrow',
  'skip-day': 'Skip today',
}

/** A command for each choice. Those that do not apply are disabled, so that the `?` sheet lists all. */
export function choiceCommands(
  block: ListedTimeBlock | undefined,
  zone: Zone,
  group: string,
): Command[] {
  const choices = block ? choicesOf(block, zone, now()) : []
  const keysOf = { start: 's', stop: 's', done: 'd', extend: 'e', 'not-now': 'n', tomorrow: 'm' }
  return Object.entries(titles).map(([id, title]) => {
    const choice = choices.find((each) => each.id === id)
    return {
      id: `block.${id}`,
      title,
      group,
      keys: keysOf[id as keyof typeof keysOf] ?? 'shift+s',
      isDisabled: !choice,
      run: () => choice?.run(),
    }
  })
}
