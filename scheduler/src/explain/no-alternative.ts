// Whether a block could go nowhere else.
import { firstAfter } from '../problem/intervals.ts'
import type { Outlook } from './explanation-context.ts'

/**
 * Per block: true if, with all other blocks where they are, no other place is left for it before
 * its due date. A place that overlaps the present one is not another: whoever takes the hour, say
 * for a meeting, takes both. Without a due date there is always a later place.
 */
export function defended({ compiled, taskBounds, sessions, blocks, end }: Outlook): boolean[] {
  const { due, cooldown, horizon } = compiled
  return blocks.map((block) => {
    const j = block.task
    const until = Math.min(due[j]!, horizon)
    if (due[j]! > horizon) return false
    // What it waits for is over before it, what waits for it starts behind it.
    let from = compiled.release[j]!
    for (const i of compiled.predecessors[j]!) from = Math.max(from, end[i]!)
    let to = until
    for (const k of compiled.successors[j]!) to = Math.min(to, sessions[k]![0] ?? to)
    const length = block.end - block.start
    const room = taskBounds.room[j]!
    // Both lists are in order of time; what lies in the way is stepped over, itself included.
    let at = firstBlock(blocks, from - cooldown[j]!)
    for (let i = firstAfter(room, from); i < room.length && room[i]! < to; i += 2) {
      let start = Math.max(room[i]!, from)
      const close = Math.min(room[i + 1]!, to)
      while (start + length <= close) {
        let next = blocks[at]
        while (next && next.end + pauseAfter(next) <= start) next = blocks[++at]
        if (!next || next.start - pauseAfter(next) >= start + length) return false
        start = next.end + pauseAfter(next)
      }
    }
    return true

    function pauseAfter(other: { task: number; start: number }) {
      return other.task === j && other.start !== block.start ? cooldown[j]! : 0
    }
  })
}

/** The first block that ends after the minute: they do not overlap, so their ends ascend too. */
export function firstBlock(blocks: Outlook['blocks'], minute: number) {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (blocks[middle]!.end > minute) high = middle
    else low = middle + 1
  }
  return low
}
