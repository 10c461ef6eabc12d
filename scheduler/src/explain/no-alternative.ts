// Whether a block has no alternative place.
import { firstAfter } from '../problem/intervals.ts'
import type { ExplanationContext } from './explanation-context.ts'

/**
 * Per block: true if, with all other blocks where they are, no other place is left for it before
 * its due date. A place that overlaps the present one does not count, since a meeting in that hour
 * would take both. Without a due date there is always a later place.
 */
export function hasNoAlternative({
  compiled,
  taskBounds,
  sessions,
  blocks,
  end,
}: ExplanationContext): boolean[] {
  const { due, cooldown, horizon } = compiled
  return blocks.map((block) => {
    const j = block.task
    const until = Math.min(due[j]!, horizon)
    if (due[j]! > horizon) return false
    // The block must stay between the ends of its predecessors and the starts of its successors.
    let from = compiled.release[j]!
    for (const i of compiled.predecessors[j]!) from = Math.max(from, end[i]!)
    let to = until
    for (const k of compiled.successors[j]!) to = Math.min(to, sessions[k]![0] ?? to)
    const length = block.end - block.start
    const room = taskBounds.room[j]!
    // Both lists are in order of time; blocks in the way are skipped, the block itself included.
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

/** The index of the first block that ends after the minute. Blocks do not overlap, so their ends ascend. */
export function firstBlock(blocks: ExplanationContext['blocks'], minute: number) {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (blocks[middle]!.end > minute) high = middle
    else low = middle + 1
  }
  return low
}
