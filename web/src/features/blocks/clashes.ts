// Detects blocks that overlap an event of another calendar, and finds another time for them.
import type {
  CalendarEvent,
  ListedTask,
  ListedTimeBlock,
  SlotSearchInput,
} from '@daywright/contract'
import { moveAndPlan } from '../../data/actions/block-actions.ts'
import { api } from '../../data/api.ts'
import { keys } from '../../data/keys.ts'
import { windowsOf } from '../../data/schedules.ts'
import { cache } from '../../data/query-client.ts'
import { errorMessage, perform } from '../../data/run-mutation.ts'
import { toast } from '../../data/toasts.ts'
import { now } from '../../time/clock.ts'
import { formatTime } from '../../time/format.ts'
import { dayOf, minutesBetween, plusMinutes, startOfDay, type Zone } from '../../time/zone.ts'

/** How far the planner looks ahead. */
const horizonMinutes = 14 * 24 * 60
const [fewestMinutes, mostMinutes] = [5, 480]

/** The events that block time during a scheduled block; none once the block has ended. */
export const clashesOf = (block: ListedTimeBlock, events: CalendarEvent[], time: Date) =>
  block.status === 'scheduled' && block.endAt > time
    ? events.filter(
        ({ blocks, startAt, endAt }) => blocks && startAt < block.endAt && endAt > block.startAt,
      )
    : []

/** `Overlaps “Dentist” 16:00–16:30` */
export const clashText = ({ title, startAt, endAt, allDay }: CalendarEvent, zone: Zone) =>
  `Overlaps “${title || 'Untitled'}” ${
    allDay ? 'all day' : `${formatTime(startAt, zone)}–${formatTime(endAt, zone)}`
  }`

export const isKept = ({ source, locked }: ListedTimeBlock) => locked || source !== 'auto'

/** Whether to offer a search for another time. The planner's own blocks need none: the next plan moves them. */
export const canFindTime = (block: ListedTimeBlock, time: Date) => {
  const minutes = minutesBetween(block.startAt, block.endAt)
  const isSoon = block.startAt < plusMinutes(time, horizonMinutes)
  return isKept(block) && isSoon && minutes >= fewestMinutes && minutes <= mostMinutes
}

/** Moves the block to the best free slot from its day on, if possible before its task is due. */
export async function findAnotherTime(block: ListedTimeBlock, zone: Zone) {
  const time = now()
  const itsDay = startOfDay(dayOf(block.startAt, zone), zone)
  const tasks = cache.getQueryData<ListedTask[]>(keys.openTasks)
  const dueAt = tasks?.find(({ id }) => id === block.taskId)?.dueAt
  try {
    const search = {
      minutes: Math.round(minutesBetween(block.startAt, block.endAt)),
      from: itsDay > time ? itsDay : time,
      windows: await windowsOf(block.taskId),
      count: 1,
    }
    const inTime =
      dueAt && dueAt > search.from ? await firstSlot({ ...search, until: dueAt }) : null
    const slot = inTime ?? (await firstSlot(search))
    if (slot) await perform(moveAndPlan(block, slot))
    else toast('There is no free time for it in the next two weeks.')
  } catch (error) {
    toast(errorMessage(error), { tone: 'error' })
  }
}

async function firstSlot(search: SlotSearchInput) {
  const { slots } = await api.planner.findSlots(search)
  const [slot] = slots
  return slot && { startAt: slot.startAt, endAt: slot.endAt }
}
