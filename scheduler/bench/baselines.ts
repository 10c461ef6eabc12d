// Baseline algorithms for comparison: earliest due date first, priority first, and FluidCalendar's
// greedy algorithm.
import type { Plan, Problem } from '../src/model.ts'
import { compile, type Compiled } from '../src/problem/compile.ts'
import { NO_DUE } from '../src/problem/weights.ts'
import { planOf } from './plan-of.ts'
import { Slots } from './slots.ts'

export type Baseline = (problem: Problem) => Plan

/** Places tasks one after another at their earliest legal time, in order of due date. */
export const earliestDueFirst: Baseline = (problem) =>
  earliestFit(
    problem,
    ({ due, weight }) =>
      (a, b) =>
        due[a]! - due[b]! || weight[b]! - weight[a]!,
  )

/** Places tasks in order of priority, as Reclaim does. */
export const priorityFirst: Baseline = (problem) =>
  earliestFit(
    problem,
    ({ due, weight }) =>
      (a, b) =>
        weight[b]! - weight[a]! || due[a]! - due[b]!,
  )

type Compare = (compiled: Compiled) => (a: number, b: number) => number

const earliestFit = (problem: Problem, compare: Compare): Plan => {
  const compiled = compile(problem)
  const slots = new Slots(compiled)
  const sessions: number[][] = compiled.tasks.map(() => [])
  inTurn(compiled, compare(compiled), (j, from) => {
    sessions[j] = slots.earliest(j, from)
    slots.take(sessions[j])
    return sessions[j]
  })
  return planOf(compiled, sessions)
}

/**
 * FluidCalendar (dotnetfactory/fluid-calendar): every task gets the slot of the best score, on a
 * grid of half hours, seven days ahead, in one piece; the order is that of the scores on an empty
 * calendar. Session limits cut a task beforehand, and each piece is placed as if it were a task.
 */
export const fluid: Baseline = (problem) => {
  const compiled = compile(problem)
  const { need, due, weight, horizon } = compiled
  const end = Math.min(horizon, 7 * 1440)
  const empty = new Slots(compiled)
  const slots = new Slots(compiled)
  const best = (calendar: Slots, j: number, length: number, from: number) => {
    let top = -1
    let start = -1
    for (let t = Math.ceil(from / 30) * 30; t + length <= end; t += 30) {
      const score = slotScore(t, due[j]!, weight[j]!)
      if (score > top && calendar.isFree(j, t, t + length)) {
        top = score
        start = t
      }
    }
    return { score: top, start }
  }
  const pieces = Array.from(need, (minutes, j) => cut(compiled, j, minutes))
  const scores = pieces.map((list, j) => best(empty, j, list[0] ?? 0, compiled.release[j]!).score)
  const sessions: number[][] = compiled.tasks.map(() => [])
  inTurn(
    compiled,
    (a, b) => scores[b]! - scores[a]!,
    (j, from) => {
      for (const length of pieces[j]!) {
        const { start } = best(slots, j, length, from)
        if (start < 0) break
        sessions[j]!.push(start, start + length)
        slots.take([start, start + length])
        from = start + length + compiled.cooldown[j]!
      }
      return sessions[j]!
    },
  )
  return planOf(compiled, sessions)
}

/** FluidCalendar's factors and weights, without those that are the same for every slot of a task. */
const slotScore = (start: number, due: number, weight: number) => {
  const days = start / 1440
  const earliness = Math.exp((-Math.log(2) / 7) * days)
  const priority = weight >= 8 ? 1 : weight === 4 ? 0.75 : weight === 2 ? 0.5 : 0.25
  return 1.2 * earliness + 3 * deadlineScore(days, due) + 1.8 * priority
}

const deadlineScore = (days: number, due: number) => {
  if (due === NO_DUE) return 0.5
  if (due < 0) return Math.min(2, 1 - due / 1440 / 14) * (1 - Math.min(0.5, days / 14))
  // Rises towards the due date and stays at its maximum afterwards: just in time, or too late.
  return Math.min(0.99, Math.exp(-(due / 1440 - days) / 3))
}

/** Cuts a task into equal pieces, as few as the longest session allows. */
const cut = ({ max, split }: Compiled, j: number, minutes: number): number[] => {
  if (!split[j]) return minutes > 0 ? [minutes] : []
  const count = Math.ceil(minutes / max[j]!)
  return Array.from(
    { length: count },
    (_, i) => Math.floor((minutes * (i + 1)) / count) - Math.floor((minutes * i) / count),
  )
}

/**
 * Places the tasks in the given order, each after its predecessors. A task that is not fully placed
 * blocks its successors.
 */
const inTurn = (
  { need, release, predecessors, blocked }: Compiled,
  compare: (a: number, b: number) => number,
  place: (j: number, from: number) => number[],
): void => {
  const order = [...need.keys()]
    .filter((j) => need[j]! > 0 && !blocked[j])
    .toSorted((a, b) => compare(a, b) || a - b)
  const ends = new Map<number, number>()
  const visit = (j: number): number => {
    const known = ends.get(j)
    if (known !== undefined) return known
    const after = [...predecessors[j]!].map((i) => (need[i] ? visit(i) : 0))
    const from = Math.max(release[j]!, ...after)
    const sessions = Number.isFinite(from) ? place(j, from) : []
    const placed = sessions.reduce((sum, at, i) => sum + (i % 2 ? at : -at), 0)
    const end = placed < need[j]! ? Infinity : sessions.at(-1)!
    ends.set(j, end)
    return end
  }
  for (const j of order) visit(j)
}
