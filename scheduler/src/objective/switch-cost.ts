// What the order of the blocks of a day costs the person who works through it, in the unit of
// `scalarCost`: minutes of lateness of a task without priority.
import type { Compiled } from '../problem/compile.ts'

/** From one task to another on the same day. */
const SWITCH = 12
/** More if the other task was left earlier on that day. */
const RETURN = 12
/** Each session, so that a task is done in few. */
const PART = 15
/** At most this, the shorter the more, for a short session of a task that is longer. */
const SHORT = 60
const SHORT_MINUTES = 25

export type DayBlock = { task: number; start: number; end: number }

/** Of the blocks of one day in order. Only their order and their lengths count. */
export const switchCost = ({ need }: Compiled, blocks: readonly DayBlock[]): number => {
  let cost = 0
  for (let i = 0; i < blocks.length; i++) {
    const { task, start, end } = blocks[i]!
    cost += PART
    if (end - start < SHORT_MINUTES && need[task]! >= SHORT_MINUTES) {
      cost += SHORT * (1 - (end - start) / (2 * SHORT_MINUTES))
    }
    if (i === 0 || blocks[i - 1]!.task === task) continue
    cost += SWITCH
    for (let k = i - 2; k >= 0; k--) {
      if (blocks[k]!.task !== task) continue
      cost += RETURN
      break
    }
  }
  return cost
}
