// Moves that bring the parts of a task together.
import { type DayBlock, switchCost } from '../objective/switch-cost.ts'
import type { Draft } from '../placement/draft.ts'
import { earliestStart } from '../placement/keep-previous.ts'
import type { Compiled } from '../problem/compile.ts'
import { type Day, setDayOrder } from './day-order.ts'
import type { Claim, EjectionChain } from './ejection-chain.ts'
import { type DraftMove, undoDraft } from './move.ts'

export type SwitchState = { draft: Draft; chain: EjectionChain }
export type SwitchMove = DraftMove<SwitchState>

/** The counter-claim of ejected tasks: they take free time and eject no other task. */
const stayEjected = () => undefined

/** Moves that bring two parts of a task on one day together, at any place among the blocks between. */
export const joinMoves = (draft: Draft, day: Day): SwitchMove[] => {
  const { compiled } = draft
  const { blocks } = day
  const cost = switchCost(compiled, blocks)
  return pairsOfParts(blocks).flatMap(([a, b]) => {
    const between = blocks.slice(a + 1, b)
    // Tries first to move the first part as late as possible, so that no other block ends later.
    return Array.from({ length: between.length + 1 }, (_, i) => between.length - i).flatMap((k) => {
      const order = joinParts(compiled, [
        ...blocks.slice(0, a),
        ...between.slice(0, k),
        blocks[a]!,
        blocks[b]!,
        ...between.slice(k),
        ...blocks.slice(b + 1),
      ])
      if (switchCost(compiled, order) >= cost) return []
      return newMove('join two parts', (state) => setDayOrder(state.draft, day, order))
    })
  })
}

/** The positions of every two consecutive blocks of the same task. */
const pairsOfParts = (blocks: readonly DayBlock[]): [number, number][] =>
  blocks.flatMap(({ task }, b): [number, number][] => {
    const a = blocks.findLastIndex((block, i) => i < b && block.task === task)
    return a < 0 ? [] : [[a, b]]
  })

/** Moves that place a task again if it interrupts another one: in free time after the other task. */
export const removalMoves = ({ blocks }: Day): SwitchMove[] =>
  pairsOfParts(blocks)
    .filter(([a, b]) => b === a + 2)
    .map(([a, b]) =>
      newMove('remove what is between two parts', (state) =>
        placeAnew(state, blocks[a + 1]!.task, blocks[b]!.end, () => false),
      ),
    )

/** Joins neighbouring parts of a task where its longest session allows. */
export const joinParts = (compiled: Compiled, order: readonly DayBlock[]): DayBlock[] => {
  const joined: DayBlock[] = []
  for (const block of order) {
    const last = joined.at(-1)
    if (last?.task === block.task && fitsOneSession(compiled, last, block)) {
      joined[joined.length - 1] = { ...last, end: last.end + block.end - block.start }
    } else joined.push(block)
  }
  return joined
}

const fitsOneSession = ({ max, split }: Compiled, a: DayBlock, b: DayBlock): boolean =>
  split[a.task] === 1 && a.end - a.start + b.end - b.start <= max[a.task]!

/**
 * Moves that place a task with several parts again, from the start of one part on: in free time, in
 * the time of tasks that are due later or have a lower weight, or in the time of any task.
 */
export const gatherMoves = ({ compiled, sessions }: Draft, j: number): SwitchMove[] => {
  const { due, weight } = compiled
  const own = sessions[j]!
  const starts = own.filter((_, i) => i % 2 === 0)
  const yields = [
    () => false,
    (other: number) => due[other]! > due[j]! || weight[other]! < weight[j]!,
    () => true,
  ]
  return starts.flatMap((start) =>
    yields.map((mayEject) =>
      newMove('gather the parts', (state) => placeAnew(state, j, start, mayEject)),
    ),
  )
}

const newMove = (name: string, change: (state: SwitchState) => boolean): SwitchMove => ({
  name,
  propose: (state) => change(state) || undefined,
  undo: undoDraft,
})

/** Places the task anew from the minute on; false if it may not start. */
const placeAnew = (
  { draft, chain }: SwitchState,
  task: number,
  minute: number,
  mayEject: Claim['mayEject'],
): boolean => {
  const from = Math.max(minute, earliestStart(draft, task))
  if (from === Infinity) return false
  chain.displace([task], () => ({ from, mayEject }), stayEjected)
  return true
}
