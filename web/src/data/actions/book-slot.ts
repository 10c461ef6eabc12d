// Books an appointment in a slot that the planner has proposed.
import type { ListedTimeBlock } from '@daywright/contract'
import { now } from '../../time/clock.ts'
import { plusMinutes } from '../../time/zone.ts'
import type { Action } from '../action.ts'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import { isMovable } from './block-cache.ts'
import { createEvent, type Place, removeBlock } from './blocks.ts'
import { type Replanned, replan, undoReplan } from './replan.ts'

export type Booked = {
  event: ListedTimeBlock
  /** Whether planned blocks overlap the event. */
  isInTheWay: boolean
  replanned: Replanned
}

/** Creates an event. If it takes the time of planned blocks, plans again, so that they move. */
export const bookSlot = (title: string, place: Place, when: string): Action<Booked> => {
  const { expect, send, settle } = createEvent(title, place, '')
  return {
    says: ({ isInTheWay, replanned }) => {
      const added = `Added “${title}” on ${when}.`
      if (!isInTheWay) return added
      return replanned
        ? `${added} Your plan has made room for it.`
        : `${added} The next plan makes room for it.`
    },
    ...(expect && { expect }),
    send: async () => {
      const isInTheWay = await hasPlannedBlocks(place)
      const event = await send()
      return { event, isInTheWay, replanned: isInTheWay ? await replan(null) : undefined }
    },
    settle: ({ event }, cached) => settle?.(event, cached),
    refreshes: [keys.blocks, keys.planner],
    undo: ({ event, replanned }) => {
      const removal = removeBlock(event)
      return {
        ...removal,
        // Remove the event first: the moved blocks can return only to free time.
        send: async () => {
          await removal.send()
          await undoReplan(replanned)
        },
      }
    },
  }
}

const longestBlock = 24 * 60

async function hasPlannedBlocks({ startAt, endAt }: Place) {
  const time = now()
  const blocks = await api.timeBlocks.list({
    from: plusMinutes(startAt, -longestBlock),
    to: endAt,
  })
  return blocks.some((block) => isMovable(block, time) && block.endAt > startAt)
}
