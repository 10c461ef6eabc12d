// The Lagrangian subproblem: at given prices each task by itself chooses its cheapest minutes.
import type { Compiled } from '../problem/compile.ts'
import { LATE_PENALTY } from '../problem/weights.ts'
import { CheapestMinutes, ChosenMinutes } from './cheapest-minutes.ts'
import { PrecedenceMultipliers } from './precedence-multipliers.ts'
import { NEVER, type SingleTaskBounds } from './single-task.ts'
import type { TimeCells } from './time-cells.ts'

/**
 * A task is done in time, late, or left over in part or in full. For each possible completion it takes
 * the cheapest minutes before it. A late completion is dated from the start of its cell, so lateness is
 * never overestimated.
 */
export class LagrangianSubproblem {
  /** Tasks whose lateness depends on the plan. The arrays below go by their position here. */
  readonly undecided: readonly number[]
  /** Capacity per cell. */
  readonly minutes: Int32Array
  /** Multipliers of the precedence constraints between these tasks. */
  readonly precedence: PrecedenceMultipliers
  /** Per task: the mean time of the minutes chosen last. Left-over minutes lie after the horizon. */
  readonly meanTime: Float64Array

  private readonly cells: TimeCells
  private readonly horizon: number
  private readonly need: Int32Array
  private readonly due: Int32Array
  private readonly leftOverFrom: Int32Array
  private readonly weight: Int32Array
  private readonly release: Int32Array
  private readonly classOf: Int32Array
  private readonly split: Int32Array
  private readonly leftOver: Int32Array
  private readonly finish: Int32Array
  /** The later of the due date and the earliest completion. Up to it, lateness does not depend on the
   *  choice of minutes. */
  private readonly pivot: Int32Array
  /** Positions among the cells of its window set: the first usable one, the first after the pivot. */
  private readonly first: Int32Array
  private readonly afterPivot: Int32Array
  /** Per window set: whether prices only fall with time. They mostly do, and that allows a shortcut. */
  private readonly pricesFall: Uint8Array
  private readonly stages: number
  private readonly ownPrices: Float64Array

  /** The cells seen so far of the task that is being solved, and its cheapest choice. */
  private readonly candidates: CheapestMinutes
  private readonly best: ChosenMinutes
  private bestStage = 0
  private least = 0

  constructor(
    compiled: Compiled,
    taskBounds: SingleTaskBounds,
    cells: TimeCells,
    undecided: readonly number[],
  ) {
    const pick = (values: ArrayLike<number>) => Int32Array.from(undecided, (j) => values[j]!)
    this.undecided = undecided
    this.minutes = cells.minutes
    this.cells = cells
    this.horizon = compiled.horizon
    this.need = pick(compiled.need)
    this.due = pick(compiled.due)
    this.leftOverFrom = pick(compiled.leftOverFrom)
    this.weight = pick(compiled.weight)
    this.release = pick(taskBounds.release)
    this.classOf = pick(compiled.classOf)
    this.split = pick(compiled.split)
    this.leftOver = pick(taskBounds.leftOver)
    this.finish = pick(taskBounds.finish)
    for (let b = 0; b < undecided.length; b++) {
      // Kept blocks are part of the work, so the task is not done before they end.
      this.finish[b] = Math.max(this.finish[b]!, compiled.keptEnd[undecided[b]!]!)
      // A task without a due date in the horizon is included only because its successors depend on it.
      if (this.due[b]! > this.horizon) {
        this.due[b] = this.horizon
        this.weight[b] = 0
      }
    }
    this.pivot = this.finish.map((end, b) => Math.max(end, this.due[b]!))
    this.first = new Int32Array(undecided.length)
    this.afterPivot = new Int32Array(undecided.length)
    this.findPositions()
    this.pricesFall = new Uint8Array(cells.ofClass.length)
    this.stages = 1 + (cells.stage.at(-1) ?? -1)
    this.precedence = new PrecedenceMultipliers(compiled, undecided, this.need, this.stages)
    this.ownPrices = new Float64Array(cells.start.length)
    this.meanTime = new Float64Array(undecided.length)
    this.candidates = new CheapestMinutes(cells.start.length)
    this.best = new ChosenMinutes(cells.start.length)
  }

  /** The lower bound at these prices; writes the minutes chosen of each cell to `demand`. */
  lowerBound(prices: Float64Array, demand: Float64Array): number {
    const { cells, precedence, classOf, ownPrices } = this
    const { surcharge } = precedence
    demand.fill(0)
    let sum = 0
    let cheapest = Infinity
    for (let c = 0; c < prices.length; c++) {
      sum -= prices[c]! * cells.minutes[c]!
      cheapest = Math.min(cheapest, prices[c]!)
    }
    this.comparePrices(prices)
    precedence.applyMultipliers()
    for (let b = 0; b < this.undecided.length; b++) {
      const at = precedence.offset[b]!
      if (at >= 0) {
        for (const c of cells.ofClass[classOf[b]!]!) {
          ownPrices[c] = prices[c]! + surcharge[at + cells.stage[c]!]!
        }
      }
      sum += this.solveTask(b, at >= 0 ? ownPrices : prices, cheapest)
      this.recordChoice(b, demand)
    }
    precedence.computeViolations()
    return sum
  }

  private findPositions(): void {
    const { cells, classOf, release, pivot, first, afterPivot } = this
    for (let b = 0; b < first.length; b++) {
      const ownCells = cells.ofClass[classOf[b]!]!
      while (first[b]! < ownCells.length && cells.end[ownCells[first[b]!]!]! <= release[b]!)
        first[b]!++
      afterPivot[b] = first[b]!
      while (
        afterPivot[b]! < ownCells.length &&
        cells.start[ownCells[afterPivot[b]!]!]! < pivot[b]!
      )
        afterPivot[b]!++
    }
  }

  private comparePrices(prices: Float64Array): void {
    for (const [k, ownCells] of this.cells.ofClass.entries()) {
      this.pricesFall[k] = 1
      for (let i = 1; i < ownCells.length; i++) {
        if (prices[ownCells[i]!]! > prices[ownCells[i - 1]!]!) this.pricesFall[k] = 0
      }
    }
  }

  /** The least cost of the task; its choice is in `best` and `bestStage`. */
  private solveTask(b: number, prices: Float64Array, cheapest: number): number {
    const { best, candidates, precedence } = this
    const p = this.need[b]!
    const w = this.weight[b]!
    const d = this.due[b]!
    const pivot = this.pivot[b]!
    const splits = this.split[b] === 1
    const base = pivot > d ? w * (LATE_PENALTY + pivot - d) : 0
    const floor = splits ? Math.min(cheapest, w) : cheapest
    const rewardOffset = precedence.offset[b]!
    const maxReward = rewardOffset < 0 ? 0 : precedence.reward[rewardOffset]!
    const canFinish = this.finish[b]! < NEVER
    best.count = 0
    this.bestStage = this.stages
    this.least = w * (LATE_PENALTY + this.leftOverFrom[b]! + p - d)
    const isHopeless = canFinish && base + p * cheapest - maxReward >= this.least
    if (isHopeless && (floor >= w || !splits)) return this.least

    candidates.clear()
    const straddling = this.chooseBeforePivot(b, prices, base)
    if (this.least === 0 && rewardOffset < 0) return 0
    const seenAll = this.chooseBehindPivot(b, prices, floor, straddling)
    // Left-over work of a habit may cost less than a late completion, so it is always considered.
    if (splits && (seenAll || this.leftOverFrom[b]! < this.horizon)) this.leaveOver(b)
    return this.least
  }

  /** The cheapest minutes before the pivot. Returns the position of the first cell with time after it. */
  private chooseBeforePivot(b: number, prices: Float64Array, base: number): number {
    const { cells, candidates, best, precedence } = this
    const ownCells = cells.ofClass[this.classOf[b]!]!
    const p = this.need[b]!
    const r = this.release[b]!
    const pivot = this.pivot[b]!
    const first = this.first[b]!
    const afterPivot = this.afterPivot[b]!
    const canFinish = this.finish[b]! < NEVER
    const rewardOffset = precedence.offset[b]!
    let position = first
    let straddling = -1
    if (this.pricesFall[this.classOf[b]!] && rewardOffset < 0) {
      // With falling prices the cheapest minutes before the pivot are the last ones.
      let enough = 0
      position = afterPivot
      while (position > first && enough < p) {
        const cell = ownCells[--position]!
        enough += sizeBefore(cells, cell, pivot, r)
      }
    }
    for (; position < afterPivot; position++) {
      const cell = ownCells[position]!
      candidates.add(prices[cell]!, sizeBefore(cells, cell, pivot, r), cell, p)
      if (cells.end[cell]! > pivot && straddling < 0) straddling = position
      if (rewardOffset >= 0 && canFinish && candidates.totalMinutes === p) {
        const stage = cells.stage[cell]!
        const cost = base + candidates.totalCost - precedence.reward[rewardOffset + stage]!
        if (cost < this.least) {
          this.least = cost
          best.copy(candidates, 0, 0, 0)
          this.bestStage = stage
        }
      }
    }
    if (rewardOffset < 0 && canFinish && candidates.totalMinutes === p) {
      const cost = base + candidates.totalCost
      if (cost < this.least) {
        this.least = cost
        best.copy(candidates, 0, 0, 0)
      }
    }
    return straddling < 0 ? position : straddling
  }

  /** Completions after the pivot, which are late. Returns whether all open time was seen. */
  private chooseBehindPivot(b: number, prices: Float64Array, floor: number, from: number): boolean {
    const { cells, candidates, best, precedence } = this
    const ownCells = cells.ofClass[this.classOf[b]!]!
    const p = this.need[b]!
    const w = this.weight[b]!
    const d = this.due[b]!
    const r = this.release[b]!
    const pivot = this.pivot[b]!
    const canFinish = this.finish[b]! < NEVER
    const rewardOffset = precedence.offset[b]!
    for (let position = from; position < ownCells.length; position++) {
      const cell = ownCells[position]!
      const start = Math.max(cells.start[cell]!, pivot)
      if (cells.end[cell]! <= Math.max(start, r)) continue
      const earned = rewardOffset < 0 ? 0 : precedence.reward[rewardOffset + cells.stage[cell]!]!
      const late = w * (LATE_PENALTY + start - d) - earned
      // From here on neither a later completion nor left-over work can cost less.
      if (late + p * floor >= this.least) return false
      const price = prices[cell]!
      const size = Math.min(cells.minutes[cell]!, cells.end[cell]! - Math.max(start, r))
      // Each minute here delays completion, so it must replace one that costs more than its price plus the delay.
      let taken = p - candidates.totalMinutes
      if (taken <= size && canFinish) {
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
        if (cost < this.least) {
          this.least = cost
          best.copy(candidates, taken - (p - candidates.totalMinutes), cell, taken)
          this.bestStage = cells.stage[cell]!
        }
      }
      candidates.add(price, size, cell, p)
    }
    return true
  }

  /** Leaves over the minutes that cost more than their lateness, and those that no plan can place. */
  private leaveOver(b: number): void {
    const { candidates, best } = this
    const p = this.need[b]!
    const w = this.weight[b]!
    const mustLeave = Math.max(1, this.leftOver[b]!)
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
    const late = LATE_PENALTY + this.leftOverFrom[b]! + missing - this.due[b]!
    const cost = w * late + candidates.totalCost - saved
    if (cost < this.least) {
      this.least = cost
      best.copy(candidates, leftOut, 0, 0)
      this.bestStage = this.stages
    }
  }

  /** Adds the minutes that the task has just chosen to the demand. */
  private recordChoice(b: number, demand: Float64Array): void {
    const { cells, best, precedence } = this
    const at = precedence.offset[b]!
    precedence.completionStage[b] = this.bestStage
    let left = this.need[b]!
    let weightedTimes = 0
    for (let i = 0; i < best.count; i++) {
      const cell = best.cell[i]!
      const minutes = best.minutes[i]!
      demand[cell]! += minutes
      left -= minutes
      weightedTimes += minutes * (cells.start[cell]! + cells.end[cell]!)
      if (at >= 0) precedence.chosen[at + cells.stage[cell]!]! += minutes
    }
    this.meanTime[b] = (0.5 * weightedTimes + left * (this.horizon + left)) / this.need[b]!
  }
}

/** An upper limit of a cell's minutes between release and pivot. */
const sizeBefore = (cells: TimeCells, cell: number, pivot: number, release: number): number => {
  const open = Math.min(cells.end[cell]!, pivot) - Math.max(cells.start[cell]!, release)
  // Cells of one stretch overlap, so a cell may end before the release.
  return Math.max(0, Math.min(cells.minutes[cell]!, open))
}
