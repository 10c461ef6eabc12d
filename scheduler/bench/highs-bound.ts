// A lower bound on the lateness of any plan, by HiGHS: work may be cut into minutes, cooldowns and
// session lengths are dropped, and what may not be cut is a mixture of whole blocks; windows, busy
// time, releases, dependencies and the one person who does it all remain. Development only.
import type { Problem } from '../src/model.ts'
import { latenessOf } from '../src/objective/cost.ts'
import { compile, type Compiled } from '../src/problem/compile.ts'
import { LATE_PENALTY } from '../src/problem/weights.ts'
import { LinearProgram, type Solver } from './highs-model.ts'
import { earliestStarts, type Segment, segmentsOf } from './segments.ts'
import { mostWork } from './session-limits.ts'

export type BoundOptions = {
  /** Minutes per segment of time. */
  step?: number
  /** Minutes per stage, at the end of which dependencies are compared. */
  stage?: number
  /** Seconds for deciding which tasks are late at all in whole numbers; 0 for the plain relaxation. */
  seconds?: number
}

/** With more tasks than this, their columns are added gradually. */
const MANY = 300

export const latenessBound = (
  solver: Solver,
  problem: Problem,
  { step = 15, stage = 240, seconds = 0 }: BoundOptions = {},
): { relaxed: number; bound: number } => {
  const compiled = compile(problem)
  const { fixed, undecided } = splitTasks(compiled)
  const segments = segmentsOf(compiled, step, stage)
  const program = transportation(compiled, segments, undecided)
  const duals =
    undecided.length > MANY
      ? program.dualsByColumns(solver, (column) => beginsWith(program, column), 40)
      : program.solve(solver, {}, true).duals
  const relaxed = fixed + Math.max(0, program.dualBound(duals))
  let bound = relaxed
  if (seconds > 0) {
    const { optimal, value, proven } = program.solve(solver, { time_limit: seconds })
    // Below the solver's feasibility tolerances nothing is proven.
    const claim = optimal ? Math.min(value, proven) : proven
    if (Number.isFinite(claim)) bound = Math.max(bound, fixed + claim * (1 - 1e-6) - 0.5)
  }
  return { relaxed: wholeNumber(relaxed), bound: wholeNumber(bound) }
}

/** Every plan costs a whole number; the margin is for rounding in the sums. */
const wholeNumber = (value: number) => Math.max(0, Math.ceil(value * (1 - 1e-9) - 0.01))

/** Left-over work, so that the program has a solution, and every eighth of the others. */
const beginsWith = ({ starts, rows }: LinearProgram, column: number) => {
  const [first, second] = [rows[starts[column]!]!, rows[starts[column]! + 1]!]
  const ofTime = starts[column + 1]! - starts[column]! > 1 && second < first
  return !ofTime || (second + first) % 8 === 0
}

/** The lateness that every plan has, and the tasks whose lateness is undecided. */
export const splitTasks = (compiled: Compiled) => {
  const { need, horizon, due, blocked, keptEnd } = compiled
  let fixed = 0
  const undecided: number[] = []
  for (const j of need.keys()) {
    if (need[j] === 0) fixed += latenessOf(compiled, j, keptEnd[j]!, 0)
    else if (blocked[j]) fixed += latenessOf(compiled, j, 0, need[j]!)
    // Never late, even if all of it is left over; but others may wait for it.
    else if (due[j]! < horizon + need[j]! || compiled.successors[j]!.length > 0) undecided.push(j)
  }
  return { fixed, undecided }
}

/**
 * What a minute of work that ends at `t` costs. Summed over the last p minutes before an end it is
 * exactly the lateness of that end, over any other p minutes up to it at most that.
 */
const minuteCost = ({ weight, due, need }: Compiled, j: number, t: number) =>
  weight[j]! * Math.max(0, Math.ceil((t - due[j]!) / need[j]!))

type TaskRows = {
  whole: number
  late: number
  /** Per stage: what is done by its end follows from what was done before it. */
  stages: number[]
  /** Per stage: the rows in which the share done by its end counts, and how. */
  shares: [number, number][][]
  /** Per stretch of open time: no more than sessions and cooldowns allow. */
  stretches: number[]
}

export const transportation = (compiled: Compiled, segments: Segment[], undecided: number[]) => {
  const { need, due, weight, horizon, split, classes, classOf, predecessors } = compiled
  const program = new LinearProgram()
  const capacity = segments.map(({ start, end }) => program.row(0, end - start))
  const starts = earliestStarts(compiled)
  const inProgram = new Set(undecided)
  const stageCount = 1 + (segments.at(-1)?.stage ?? -1)
  const precedencePairs = undecided.flatMap((j) =>
    [...predecessors[j]!].filter((i) => inProgram.has(i)).map((i) => [i, j] as const),
  )
  const inPairs = new Set(precedencePairs.flat())
  const rows = new Map(undecided.map((j) => [j, newRows(j)]))
  for (const [i, j] of precedencePairs) follow(i, j)
  for (const j of undecided) columns(j, rows.get(j)!)
  return program

  function newRows(j: number): TaskRows {
    const stages = inPairs.has(j) ? stageCount : 0
    const { free } = classes[classOf[j]!]!
    const slow = split[j] && need[j]! > compiled.max[j]! && compiled.cooldown[j]! > 0
    return {
      whole: program.row(need[j]!, need[j]!),
      late: program.row(-Infinity, 0),
      stages: Array.from({ length: stages }, () => program.row(0, 0)),
      shares: Array.from({ length: stages }, () => []),
      stretches: slow
        ? Array.from({ length: free.length / 2 }, (_, i) =>
            program.row(0, mostWork(compiled, j, free[2 * i + 1]! - free[2 * i]!)),
          )
        : [],
    }
  }

  /** By the end of any stage the share of `j` that is done is at most that of `i`. */
  function follow(i: number, j: number) {
    for (let stage = 0; stage < stageCount; stage++) {
      const row = program.row(-Infinity, 0)
      rows.get(i)!.shares[stage]!.push([row, -1 / need[i]!])
      rows.get(j)!.shares[stage]!.push([row, 1 / need[j]!])
    }
  }

  function columns(j: number, { whole, late, stages, shares }: TaskRows) {
    const p = need[j]!
    if (due[j]! < horizon + p) {
      program.column(weight[j]! * LATE_PENALTY, 0, 1, [[late, -p]], true)
    }
    for (const [stage, row] of stages.entries()) {
      const next = stages[stage + 1]
      const entries: [number, number][] = [[row, -1], ...shares[stage]!]
      program.column(0, 0, p, next === undefined ? entries : [...entries, [next, 1]])
    }
    if (!split[j] && undecided.length <= MANY) blocks(j, rows.get(j)!)
    else minutes(j, rows.get(j)!)
    leftOver(j, whole, late)
  }

  function minutes(j: number, { whole, late, stages, stretches }: TaskRows) {
    const { free } = classes[classOf[j]!]!
    let stretch = 0
    for (const [s, segment] of segments.entries()) {
      const start = Math.max(segment.start, starts[j]!)
      if (start >= segment.end || !segment.classes.has(classOf[j]!)) continue
      while (free[2 * stretch + 1]! <= segment.start) stretch++
      const entries: [number, number][] = [
        [whole, 1],
        [capacity[s]!, 1],
      ]
      // A segment that reaches over the due date may be used in time.
      if (start >= due[j]!) entries.push([late, 1])
      if (stages.length) entries.push([stages[segment.stage]!, 1])
      if (stretches.length) entries.push([stretches[stretch]!, 1])
      program.column(minuteCost(compiled, j, start + 1), 0, segment.end - start, entries)
    }
  }

  /**
   * One column for every block that starts or ends at the edge of a segment. Between two such
   * neighbours what a block takes of each segment changes linearly, and its lateness does or
   * is more, since no due date falls inside a segment: so any other block is a mixture of two.
   */
  function blocks(j: number, { whole, late, stages }: TaskRows) {
    const p = need[j]!
    const own = segments.flatMap((segment, s) => (segment.classes.has(classOf[j]!) ? [s] : []))
    const { free } = classes[classOf[j]!]!
    for (let i = 0; i < free.length; i += 2) {
      const low = Math.max(free[i]!, starts[j]!)
      const high = free[i + 1]! - p
      if (low > high) continue
      const inside = own.filter((s) => segments[s]!.end > low && segments[s]!.start < free[i + 1]!)
      const edges = inside.flatMap((s) => [segments[s]!.start, segments[s]!.end])
      const begins = new Set([low, high, ...edges, ...edges.map((edge) => edge - p)])
      for (const begin of [...begins].toSorted((a, b) => a - b)) {
        if (begin >= low && begin <= high) block(begin)
      }
      function block(begin: number) {
        const end = begin + p
        const byRow = new Map([[whole, p]])
        for (const s of inside) {
          const { start, end: over, stage } = segments[s]!
          const taken = Math.min(end, over) - Math.max(begin, start)
          if (taken <= 0) continue
          byRow.set(capacity[s]!, taken)
          if (stages.length) byRow.set(stages[stage]!, (byRow.get(stages[stage]!) ?? 0) + taken)
        }
        if (end > due[j]!) byRow.set(late, p)
        program.column(weight[j]! * Math.max(0, end - due[j]!), 0, 1, [...byRow])
      }
    }
  }

  /** Left-over minutes are done right after the horizon; all of them or none without autoSplit. */
  function leftOver(j: number, whole: number, late: number) {
    const p = need[j]!
    const minutes = Array.from({ length: p }, (_, i) => horizon + i + 1)
    const column = (cost: number, count: number) => {
      const entries: [number, number][] =
        cost > 0
          ? [
              [whole, 1],
              [late, 1],
            ]
          : [[whole, 1]]
      program.column(cost, 0, count, entries)
    }
    if (split[j]) {
      const byCost = Map.groupBy(minutes, (t) => minuteCost(compiled, j, t))
      for (const [cost, same] of byCost) column(cost, same.length)
    } else {
      column(minutes.reduce((sum, t) => sum + minuteCost(compiled, j, t), 0) / p, p)
    }
  }
}
