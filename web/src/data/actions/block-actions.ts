// Actions on a block when its time has come: start, stop, extend, complete or skip it.
import type { BareTimeBlock, ListedTask, ListedTimeBlock, TimeBlock } from '@daywright/contract'
import { now } from '../../time/clock.ts'
import { formatMinutes, formatWhenInText } from '../../time/format.ts'
import { minutesBetween, plusMinutes } from '../../time/zone.ts'
import { api } from '../api.ts'
import type { Action } from '../action.ts'
import { keys } from '../keys.ts'
import { currentZone } from '../profile.ts'
import { cache } from '../query-client.ts'
import { revertLast, revertRequest } from '../undo.ts'
import { cachedBlocks, hideBlocks, isMovable, patchBlock, revertBlock } from './block-cache.ts'
import { moveBlock, type Place } from './blocks.ts'
import { finishTasks, isOpen } from './change-tasks.ts'
import { isAutomatic, planAndReport } from './planner.ts'
import { type Replanned, replan, sayWhere, undoReplan } from './replan.ts'

const around = [keys.planner, keys.blocks]
const aroundTask = [...around, keys.tasks, ['task']]

const makesWay = (block: ListedTimeBlock, of: { id: string }, place: Place, time: Date) =>
  block.id !== of.id &&
  isMovable(block, time) &&
  block.startAt < place.endAt &&
  block.endAt > place.startAt

/** The toast with the number of displaced blocks; offers Reschedule if planning is not automatic. */
function aboutDisplaced(
  of: { id: string },
  place: Place,
  text: string,
): Pick<Action, 'says' | 'offers'> {
  const time = now()
  const count = cachedBlocks().filter((block) => makesWay(block, of, place, time)).length
  if (count === 0) return { says: text }
  const blocks = count === 1 ? '1 planned block' : `${count} planned blocks`
  return isAutomatic()
    ? { says: `${text} ${blocks} will be rescheduled.` }
    : {
        says: `${text} ${blocks} ${count === 1 ? 'needs' : 'need'} a new time.`,
        offers: { label: 'Reschedule', action: planAndReport },
      }
}

/** The times of a block that starts now, as the server sets them. */
const placeIfStarted = ({ startAt, endAt }: Place, time: Date): Place => {
  const minutes = minutesBetween(startAt, endAt)
  const isSlightlyLate = time >= startAt && time <= plusMinutes(startAt, 5) && minutes >= 20
  if (isSlightlyLate) return { startAt, endAt }
  const minute = new Date(Math.floor(time.getTime() / 60_000) * 60_000)
  return { startAt: minute, endAt: plusMinutes(minute, minutes) }
}

/** Moves the block to now. The service stops a running block and cancels planned blocks in the way. */
export const startBlock = (block: ListedTimeBlock): Action<TimeBlock> => {
  const startedAt = now()
  const place = placeIfStarted(block, startedAt)
  return {
    ...aboutDisplaced(block, place, `Started “${block.title}”.`),
    expect: (expect) => {
      hideBlocks(expect, (each) => makesWay(each, block, place, startedAt))
      expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
        blocks.map((each) =>
          each.status === 'in_progress' ? { ...each, ...stoppedAt(each, startedAt) } : each,
        ),
      )
      patchBlock(expect, block.id, { status: 'in_progress', ...place, startedAt })
    },
    record: block.id,
    send: () => api.timeBlocks.start(block.id),
    settle: ({ task: _task, ...answer }, expect) => patchBlock(expect, block.id, answer),
    refreshes: aroundTask,
    undo: () => ({ send: () => revertRequest(block.id, ['status']), refreshes: aroundTask }),
  }
}

const stoppedAt = ({ startAt }: BareTimeBlock, time: Date): Partial<BareTimeBlock> => ({
  status: 'completed',
  endAt: time > startAt ? time : plusMinutes(startAt, 1),
  completedAt: time,
})

/** Ends the block now. The remaining minutes are planned again, automatically or from the toast. */
export const stopBlock = (block: ListedTimeBlock): Action<TimeBlock> => {
  const time = now()
  const left = Math.floor(minutesBetween(time, block.endAt))
  const rest = left > 0 ? ` ${formatMinutes(left)} left` : ''
  return {
    ...(left > 0 && !isAutomatic()
      ? {
          says: `Stopped “${block.title}”.${rest}.`,
          offers: { label: 'Reschedule the rest', action: planAndReport },
        }
      : { says: `Stopped “${block.title}”.${rest && `${rest}, which will be rescheduled.`}` }),
    expect: (expect) => patchBlock(expect, block.id, stoppedAt(block, time)),
    record: block.id,
    send: () => api.timeBlocks.stop(block.id),
    settle: ({ task: _task, ...answer }, expect) => patchBlock(expect, block.id, answer),
    refreshes: aroundTask,
    undo: () => ({ send: () => revertRequest(block.id, ['status']), refreshes: aroundTask }),
  }
}

export const extendBlock = (block: ListedTimeBlock, minutes: number): Action<TimeBlock> => {
  const endAt = plusMinutes(block.endAt, minutes)
  const place = { startAt: block.endAt, endAt }
  return {
    ...aboutDisplaced(block, place, `Added ${minutes} minutes to “${block.title}”.`),
    expect: (expect) => {
      hideBlocks(expect, (each) => makesWay(each, block, place, now()))
      patchBlock(expect, block.id, { endAt })
    },
    record: block.id,
    send: () => api.timeBlocks.extend(block.id, minutes),
    settle: ({ task: _task, ...answer }, expect) => patchBlock(expect, block.id, answer),
    refreshes: around,
    undo: () => ({ send: () => revertRequest(block.id, ['endAt']), refreshes: around }),
  }
}

/** Cancels the block, and plans its task again, no earlier than `until`. */
export const skipBlock = (block: ListedTimeBlock, until: Date): Action<Replanned> => ({
  says: (replanned) =>
    sayWhere(replanned, block) ?? `Skipped. The next plan finds another time for “${block.title}”.`,
  expect: (expect) => {
    const time = now()
    hideBlocks(
      expect,
      (each) =>
        each.id === block.id ||
        (each.taskId === block.taskId && each.startAt < until && isMovable(each, time)),
    )
  },
  record: block.id,
  send: async () => {
    await api.timeBlocks.skip(block.id, until)
    return replan(block.taskId)
  },
  refreshes: aroundTask,
  undo: (replanned) => ({
    send: async () => {
      await undoReplan(replanned)
      await revertRequest(block.id, ['status'])
    },
    refreshes: aroundTask,
  }),
})

/** Pins the block to another time, and replans the blocks that were there. */
export const moveAndPlan = (block: ListedTimeBlock, place: Place): Action<Replanned> => {
  const move = moveBlock(block, place, '')
  const text = `Moved “${block.title}” to ${formatWhenInText(place.startAt, currentZone(), now())}. Pinned.`
  return {
    ...(move.expect && { expect: move.expect }),
    says: text,
    record: block.id,
    send: async () => {
      await move.send()
      return replan(block.taskId)
    },
    refreshes: around,
    undo: (replanned) => ({
      send: async () => {
        await undoReplan(replanned)
        await revertLast(block.id, ['startAt', 'endAt'])
      },
      refreshes: around,
    }),
  }
}

/** Completes the block but not its task. After the last block, the toast offers to complete the task. */
export const completeBlock = (block: ListedTimeBlock): Action => {
  const completedAt = now()
  return {
    ...aboutTask(block, completedAt),
    expect: (expect) => patchBlock(expect, block.id, { status: 'completed', completedAt }),
    record: block.id,
    send: () => api.timeBlocks.update(block.id, { status: 'completed' }),
    refreshes: around,
    undo: (answer) => revertBlock(block, answer, { status: block.status }),
  }
}

/** The toast after a completed block: the next block of its task, or an offer to complete the task. */
function aboutTask(block: ListedTimeBlock, time: Date): Pick<Action, 'says' | 'offers'> {
  const tasks = cache.getQueryData<ListedTask[]>(keys.openTasks)
  const task = tasks?.find(({ id }) => id === block.taskId)
  if (!task || !isOpen(task)) return { says: `Done: “${block.title}”.` }
  const [next] = cachedBlocks()
    .filter(({ id, taskId, status, endAt }) => {
      const isToCome = (status === 'scheduled' || status === 'in_progress') && endAt > time
      return id !== block.id && taskId === task.id && isToCome
    })
    .toSorted((one, other) => one.startAt.getTime() - other.startAt.getTime())
  if (next) {
    const when = formatWhenInText(next.startAt, currentZone(), time)
    return { says: `Session done. “${task.title}” continues: ${when}.` }
  }
  return {
    says: `That was the last session of “${task.title}”.`,
    offers: { label: 'Complete task', action: () => finishTasks([task], 'complete') },
  }
}
