// The cost of switching between tasks within a day and of splitting tasks, in the unit of
// `scalarCost`: minutes of lateness of a task without priority.
import type { Compiled } from '../problem/compile.ts'

/** The cost of a switch from one task to another on the same day. */
const SWITCH = 12
/** The extra cost of a switch back to a task that was left earlier that day. */
const RETURN = 12
/** The cost of each session, so that a task is done in few sessions. */
const PART = 15
/** The maximum cost of a short session of a longer task; the shorter the session, the higher its cost. */
const SHORT = 60
const SHORT_MINUTES = 25

export type DayBlock = { task: number; start: number; end: number }

/** The cost of one day's blocks, given in order of time. Only their order and lengths matter. */
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
