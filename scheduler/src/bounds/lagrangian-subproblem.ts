// The Lagrangian subproblem: at given prices each task by itself chooses its cheapest minutes.
import type { Compiled } from '../problem/compile.ts'
import { LATE_PENALTY } from '../problem/weights.ts'
import { CheapestMinutes, ChosenMinutes } from './cheapest-minutes.ts'
import { PrecedenceMultipliers } from './precedence-multipliers.ts'
import { NEVER, type SingleTaskBounds } from './single-task.ts'
import type { TimeCells } from './time-cells.ts'

export type LagrangianSubproblem = {
  /** Tasks whose lateness depends on the plan. */
  undecided: readonly number[]
  /** Capacity per cell. */
  minutes: Int32Array
  /** Multipliers of the precedence constraints between these tasks. */
  precedence: PrecedenceMultipliers
  /** Per task: the mean of the minutes chosen last; left-over minutes count behind the horizon. */
  meanTime: Float64Array
  /** The lower bound at these prices; writes the minutes chosen of each cell to `demand`. */
  lowerBound: (prices: Float64Array, demand: Float64Array) => number
}

/**
 * A task is done in time, late, or left over in part or whole. For each possible completion it takes
 * the cheapest minutes before it. A cell counts from its start, so lateness is never overestimated.
 */
export function newLagrangianSubproblem(
  compiled: Compiled,
  taskBounds: SingleTaskBounds,
  cells: TimeCells,
  undecided: number[],
): LagrangianSubproblem {
  const { horizon } = compiled
  const count = undecided.length
  const pick = (values: ArrayLike<number>) => Int32Array.from(undecided, (j) => values[j]!)
  const need = pick(compiled.need)
  const due = pick(compiled.due)
  const weight = pick(compiled.weight)
  const release = pick(taskBounds.release)
  const classOf = pick(compiled.classOf)
  const split = pick(compiled.split)
  const leftOver = pick(taskBounds.leftOver)
  const finish = pick(taskBounds.finish)
  for (let b = 0; b < count; b++) {
    // Kept blocks are part of the work, so the task is not done before they end.
    finish[b] = Math.max(finish[b]!, compiled.keptEnd[undecided[b]!]!)
    // Without a due date in the horizon it is included only because its successors depend on it.
    if (due[b]! > horizon) {
      due[b] = horizon
      weight[b] = 0
    }
  }
  // Up to the pivot only the minutes cost: it is the due date, or the earliest completion past it.
  const pivot = finish.map((end, b) => Math.max(end, due[b]!))
  // Positions among the cells of its window set: the first usable one, the first behind the pivot.
  const first = new Int32Array(count)
  const behind = new Int32Array(count)
  for (let b = 0; b < count; b++) {
    const ownCells = cells.ofClass[classOf[b]!]!
    while (first[b]! < ownCells.length && cells.end[ownCells[first[b]!]!]! <= release[b]!)
      first[b]!++
    behind[b] = first[b]!
    while (behind[b]! < ownCells.length && cells.start[ownCells[behind[b]!]!]! < pivot[b]!)
      behind[b]!++
  }
  // Per window set: whether prices only fall with time. They mostly do, and that allows a shortcut.
  const pricesFall = new Uint8Array(cells.ofClass.length)

  const stages = 1 + (cells.stage.at(-1) ?? -1)
  const precedence = new PrecedenceMultipliers(compiled, undecided, need, stages)
  const { reward, surcharge } = precedence
  const ownPrices = new Float64Array(cells.start.length)
  const meanTime = new Float64Array(count)

  const candidates = new CheapestMinutes(cells.start.length)
  const best = new ChosenMinutes(cells.start.length)
  let bestStage = 0

  /** Minutes of a cell between release and pivot, at most. */
  function sizeBefore(cell: number, pivotMinute: number, release: number) {
    const open = Math.min(cells.end[cell]!, pivotMinute) - Math.max(cells.start[cell]!, release)
    // Cells of one stretch overlap, so a cell may end before the release.
    return Math.max(0, Math.min(cells.minutes[cell]!, open))
  }

  function solveTask(b: number, prices: Float64Array, cheapest: number) {
    const p = need[b]!
    const w = weight[b]!
    const d = due[b]!
    const r = release[b]!
    const ownCells = cells.ofClass[classOf[b]!]!
    const cannotFinish = finish[b]! >= NEVER
    const pivotMinute = pivot[b]!
    const base = pivotMinute > d ? w * (LATE_PENALTY + pivotMinute - d) : 0
    const floor = split[b] ? Math.min(cheapest, w) : cheapest
    const rewardOffset = precedence.offset[b]!
    const maxReward = rewardOffset < 0 ? 0 : reward[rewardOffset]!
    best.count = 0
    bestStage = stages
    let least = w * (LATE_PENALTY + horizon + p - d)
    if (!cannotFinish && base + p * cheapest - maxReward >= least && (floor >= w || !split[b]))
      return least

    candidates.clear()
    let position = first[b]!
    let straddles = -1
    if (pricesFall[classOf[b]!] && rewardOffset < 0) {
      // With falling prices the cheapest minutes before the pivot are the last ones.
      let enough = 0
      position = behind[b]!
      while (position > first[b]! && enough < p) {
        const cell = ownCells[--position]!
        enough += sizeBefore(cell, pivotMinute, r)
      }
    }
    for (; position < behind[b]!; position++) {
      const cell = ownCells[position]!
      candidates.add(prices[cell]!, sizeBefore(cell, pivotMinute, r), cell, p)
      if (cells.end[cell]! > pivotMinute && straddles < 0) straddles = position
      if (rewardOffset >= 0 && !cannotFinish && candidates.totalMinutes === p) {
        const stage = cells.stage[cell]!
        const cost = base + candidates.totalCost - reward[rewardOffset + stage]!
        if (cost < least) {
          least = cost
          best.copy(candidates, 0, 0, 0)
          bestStage = stage
        }
      }
    }
    if (
      rewardOffset < 0 &&
      !cannotFinish &&
      candidates.totalMinutes === p &&
      base + candidates.totalCost < least
    ) {
      least = base + candidates.totalCost
      best.copy(candidates, 0, 0, 0)
      if (least === 0) return 0
    }
    // The part of a cell behind the pivot is late.
    if (straddles >= 0) position = straddles
    for (; position < ownCells.length; position++) {
      const cell = ownCells[position]!
      const start = Math.max(cells.start[cell]!, pivotMinute)
      if (cells.end[cell]! <= Math.max(start, r)) continue
      const earned = rewardOffset < 0 ? 0 : reward[rewardOffset + cells.stage[cell]!]!
      const late = w * (LATE_PENALTY + start - d) - earned
      // From here on neither a later completion nor left-over work can cost less.
      if (late + p * floor >= least) break
      const price = prices[cell]!
      const size = Math.min(cells.minutes[cell]!, cells.end[cell]! - Math.max(start, r))
      // Each minute here delays the completion, so it must save more than its price and its lateness.
      let taken = p - candidates.totalMinutes
      if (taken <= size && !cannotFinish) {
        let saved = 0
        let at = candidates.head
        let spare = size - taken
        while (at < candidates.tail && spare > 0 && candidates.price[at]! > price + w) {
          const minutes = Math.min(candidates.minutes[at]!, spare)
          saved += minutes * candidates.price[at]!
          taken += minutes
          spare -= minutes
          at++
        }
        const cost = late + taken * (price + w) + candidates.totalCost - saved
        if (cost < least) {
          least = cost
          best.copy(candidates, taken - (p - candidates.totalMinutes), cell, taken)
          bestStage = cells.stage[cell]!
        }
      }
      candidates.add(price, size, cell, p)
    }
    if (position < ownCells.length || !split[b]) return least
    // All open time was seen: minutes that cost more than their lateness are left over.
    const mustLeave = Math.max(1, leftOver[b]!)
    let missing = p - candidates.totalMinutes
    let leftOut = 0
    let saved = 0
    for (let at = candidates.head; at < candidates.tail; at++) {
      const expensive = candidates.price[at]! > w ? candidates.minutes[at]! : mustLeave - missing
      const minutes = Math.min(candidates.minutes[at]!, expensive)
      if (minutes <= 0) break
      missing += minutes
      leftOut += minutes
      saved += minutes * candidates.price[at]!
    }
    const cost = w * (LATE_PENALTY + horizon + missing - d) + candidates.totalCost - saved
    if (cost < least) {
      least = cost
      best.copy(candidates, leftOut, 0, 0)
      bestStage = stages
    }
    return least
  }

  /** Adds the minutes that the task has just chosen to the demand. */
  function recordChoice(b: number, demand: Float64Array) {
    const at = precedence.offset[b]!
    precedence.completionStage[b] = bestStage
    let left = need[b]!
    let weightedTimes = 0
    for (let i = 0; i < best.count; i++) {
      const cell = best.cell[i]!
      const minutes = best.minutes[i]!
      demand[cell]! += minutes
      left -= minutes
      weightedTimes += minutes * (cells.start[cell]! + cells.end[cell]!)
      if (at >= 0) precedence.chosen[at + cells.stage[cell]!]! += minutes
    }
    meanTime[b] = (0.5 * weightedTimes + left * (horizon + left)) / need[b]!
  }

  return {
    undecided,
    minutes: cells.minutes,
    precedence,
    meanTime,
    lowerBound(prices, demand) {
      demand.fill(0)
      let sum = 0
      let cheapest = Infinity
      for (let c = 0; c < prices.length; c++) {
        sum -= prices[c]! * cells.minutes[c]!
        cheapest = Math.min(cheapest, prices[c]!)
      }
      for (const [k, ownCells] of cells.ofClass.entries()) {
        pricesFall[k] = 1
        for (let i = 1; i < ownCells.length; i++) {
          if (prices[ownCells[i]!]! > prices[ownCells[i - 1]!]!) pricesFall[k] = 0
        }
      }
      precedence.applyMultipliers()
      for (let b = 0; b < count; b++) {
        const at = precedence.offset[b]!
        if (at >= 0) {
          for (const c of cells.ofClass[classOf[b]!]!) {
            ownPrices[c] = prices[c]! + surcharge[at + cells.stage[c]!]!
          }
        }
        sum += solveTask(b, at >= 0 ? ownPrices : prices, cheapest)
        recordChoice(b, demand)
      }
      precedence.computeViolations()
      return sum
    },
  }
}
