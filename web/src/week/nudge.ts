// Moving by keys: many presses are one change, sent when the keys rest.
import type { ListedTimeBlock } from '@daywright/contract'
import { moveBlock, type Place } from '../data/actions/blocks.ts'
import { foresee } from '../data/expectation.ts'
import { perform } from '../data/perform.ts'
import { beginAction, endAction } from '../data/refresh.ts'

const restMs = 450
type Nudged = {
  original: ListedTimeBlock
  place: Place
  timer: ReturnType<typeof setTimeout>
  foreseen: ReturnType<typeof foresee>
}
const nudged = new Map<string, Nudged>()

/** Where a block is by now: keys may be quicker than the page is drawn. */
export const placeOf = (block: ListedTimeBlock): Place => nudged.get(block.id)?.place ?? block

export function nudge(block: ListedTimeBlock, place: Place, says: (place: Place) => string) {
  const known = nudged.get(block.id)
  clearTimeout(known?.timer)
  // Until it is sent, nothing that arrives may put it back.
  if (!known) beginAction()
  const original = known?.original ?? block
  known?.foreseen.takeBack()
  const foreseen = foresee(moveBlock(original, place, '').expect)
  const timer = setTimeout(() => {
    nudged.delete(block.id)
    foreseen.takeBack() // it is shown by the action from here on, if that can be done
    void perform(moveBlock(original, place, says(place))).finally(endAction)
  }, restMs)
  nudged.set(block.id, { original, place, timer, foreseen })
}
