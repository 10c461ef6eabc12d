// Moving by keys: debounced, so that many presses are sent as one change.
import type { ListedTimeBlock } from '@daywright/contract'
import { moveBlock, type Place } from '../../data/actions/blocks.ts'
import { applyOptimisticUpdate } from '../../data/optimistic-update.ts'
import { perform } from '../../data/run-mutation.ts'
import { beginAction, endAction } from '../../data/refresh.ts'

const restMs = 450
type Nudged = {
  original: ListedTimeBlock
  place: Place
  timer: ReturnType<typeof setTimeout>
  optimistic: ReturnType<typeof applyOptimisticUpdate>
}
const nudged = new Map<string, Nudged>()

/** The block's current position, which may be ahead of what is drawn. */
export const placeOf = (block: ListedTimeBlock): Place => nudged.get(block.id)?.place ?? block

export function nudge(block: ListedTimeBlock, place: Place, says: (place: Place) => string) {
  const known = nudged.get(block.id)
  clearTimeout(known?.timer)
  // Until the move is sent, arriving data must not reset the position.
  if (!known) beginAction()
  const original = known?.original ?? block
  known?.optimistic.rollback()
  const optimistic = applyOptimisticUpdate(moveBlock(original, place, '').expect)
  const timer = setTimeout(() => {
    nudged.delete(block.id)
    optimistic.rollback() // the action applies its own optimistic update
    void perform(moveBlock(original, place, says(place))).finally(endAction)
  }, restMs)
  nudged.set(block.id, { original, place, timer, optimistic })
}
