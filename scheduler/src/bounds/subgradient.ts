// Maximizes the Lagrangian lower bound over the multipliers: a subgradient method with momentum.
import type { LagrangianSubproblem } from './lagrangian-subproblem.ts'
import type { PrecedenceMultipliers } from './precedence-multipliers.ts'

/** Work per call, counted in tasks times cells: the same on any machine. */
const WORK_BUDGET = 2_000_000
const MAX_ITERATIONS = 100

/** Step size of precedence multipliers relative to those of capacity. Found by trial. */
const PRECEDENCE_SCALE = 3

/** A group of multipliers with the state of the method for each. */
type Multipliers = {
  multiplier: Float64Array
  /** The subgradient: by how many minutes demand exceeds capacity. */
  excess: Float64Array
  direction: Float64Array
  scale: Float64Array
  bestMultiplier: Float64Array
}

/** The multipliers of the capacity of one window set. */
type CapacityMultipliers = Multipliers & { cells: Int32Array }

/**
 * Returns the best lower bound found. `onIteration` is called after each evaluation in the loop.
 *
 * The price of a cell is the sum of the multipliers of this cell and all later cells of its window set.
 * Each multiplier thus prices all time up to its cell, since work that is due on a day competes for all
 * hours before it. With an independent price per cell the method converges much more slowly.
 */
export function maximizeLowerBound(
  subproblem: LagrangianSubproblem,
  ofClass: readonly Int32Array[],
  {
    upperBound = Infinity,
    uniformPrice,
    onIteration,
  }: { upperBound?: number; uniformPrice: number; onIteration?: () => void },
): number {
  const { minutes, precedence } = subproblem
  const capacities = ofClass
    .filter((cells) => cells.length)
    .map((cells) => ({ cells, ...capacityGroup(cells, minutes) }))
  const groups: Multipliers[] = [...capacities, precedenceGroup(precedence)]
  const evaluate = evaluator(subproblem, capacities)

  let value = startValue(capacities, evaluate, uniformPrice, minutes.length)
  let best = value
  let expectedGain = Math.max(1440, best * 0.2)
  let stepFactor = 1
  let stalled = 0
  const workPerIteration = subproblem.undecided.length * minutes.length + 1
  const iterations = Math.max(
    5,
    Math.min(MAX_ITERATIONS, Math.floor(WORK_BUDGET / workPerIteration)),
  )
  for (let iteration = 0; iteration < iterations; iteration++) {
    const target = Math.min(upperBound, best + expectedGain)
    const norm = updateDirections(groups)
    if (norm < 1e-9 || target <= best) break
    takeStep(groups, (stepFactor * (target - value)) / norm)
    value = evaluate()
    onIteration?.()
    if (value > best) {
      if (value > best + 0.5 * expectedGain) expectedGain *= 1.5
      best = value
      for (const { multiplier, bestMultiplier } of groups) bestMultiplier.set(multiplier)
      stalled = 0
    } else if (++stalled >= 5) {
      // No improvement: return to the best multipliers and continue with smaller steps.
      stalled = 0
      stepFactor *= 0.6
      expectedGain *= 0.5
      for (const { multiplier, bestMultiplier, direction } of groups) {
        multiplier.set(bestMultiplier)
        direction.fill(0)
      }
      value = evaluate()
    }
  }
  return best
}

/** Returns a function that evaluates the bound at the multipliers and updates their subgradients. */
function evaluator(
  subproblem: LagrangianSubproblem,
  capacities: readonly CapacityMultipliers[],
): () => number {
  const { minutes } = subproblem
  const prices = new Float64Array(minutes.length)
  const demand = new Float64Array(minutes.length)
  return () => {
    prices.fill(0)
    for (const { cells, multiplier } of capacities) {
      let sum = 0
      for (let i = cells.length - 1; i >= 0; i--) prices[cells[i]!]! += sum += multiplier[i]!
    }
    const value = subproblem.lowerBound(prices, demand)
    for (const { cells, excess } of capacities) {
      let sum = 0
      for (let i = 0; i < cells.length; i++) {
        excess[i] = sum += demand[cells[i]!]! - minutes[cells[i]!]!
      }
    }
    return value
  }
}

/**
 * The bound without prices or with the uniform price, whichever is higher. Leaves the multipliers of
 * that bound set. With far more work than time, one price for all hours (the value of a minute to the
 * first task that does not fit) is a good start. Hours open to several window sets get a multiplier from each.
 */
function startValue(
  capacities: readonly CapacityMultipliers[],
  evaluate: () => number,
  uniformPrice: number,
  cellCount: number,
): number {
  const withoutPrices = evaluate()
  let positions = 0
  for (const { cells } of capacities) positions += cells.length
  for (const { multiplier } of capacities)
    multiplier[multiplier.length - 1] = (uniformPrice * cellCount) / positions
  const start = uniformPrice ? evaluate() : withoutPrices
  if (start > withoutPrices) {
    for (const { multiplier, bestMultiplier } of capacities) bestMultiplier.set(multiplier)
    return start
  }
  for (const { multiplier } of capacities) multiplier.fill(0)
  evaluate()
  return withoutPrices
}

/** Adds the subgradients to the directions; returns the squared norm of the scaled directions. */
function updateDirections(groups: readonly Multipliers[]): number {
  let norm = 0
  for (const { multiplier, excess, direction, scale } of groups) {
    for (let i = 0; i < multiplier.length; i++) {
      // A multiplier is never negative, so at 0 it cannot fall.
      direction[i] = 0.7 * direction[i]! + (excess[i]! < 0 && multiplier[i] === 0 ? 0 : excess[i]!)
      norm += direction[i]! * direction[i]! * scale[i]!
    }
  }
  return norm
}

function takeStep(groups: readonly Multipliers[], step: number): void {
  for (const { multiplier, direction, scale } of groups) {
    for (let i = 0; i < multiplier.length; i++) {
      multiplier[i] = Math.max(0, multiplier[i]! + step * direction[i]! * scale[i]!)
    }
  }
}

function precedenceGroup(precedence: PrecedenceMultipliers): Multipliers {
  const { multiplier, violation: excess } = precedence
  const scale = multiplier.map(
    (_, i) => PRECEDENCE_SCALE / Math.sqrt(precedence.successorMinutes(i)),
  )
  return {
    multiplier,
    excess,
    scale,
    direction: multiplier.slice(),
    bestMultiplier: multiplier.slice(),
  }
}

function capacityGroup(cells: Int32Array, minutes: Int32Array): Multipliers {
  const empty = () => new Float64Array(cells.length)
  let sum = 0
  const scale = Float64Array.from(cells, (cell) => 1 / Math.sqrt((sum += minutes[cell]!)))
  return {
    multiplier: empty(),
    excess: empty(),
    scale,
    direction: empty(),
    bestMultiplier: empty(),
  }
}
