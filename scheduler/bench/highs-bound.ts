// A lower bound on the lateness of any plan, by HiGHS. The relaxation cuts work into minutes, drops
// most session rules, and replaces unsplittable work by a mixture of whole blocks. It keeps windows,
// busy time, releases, dependencies, and the one person who does all the work. Development only.
import type { Problem } from '../src/model.ts'
import { latenessOf } from '../src/objective/cost.ts'
import { compile, type Compiled } from '../src/problem/compile.ts'
import { LATE_PENALTY } from '../src/problem/weights.ts'
import { createEndRows, type EndRows } from './highs-ends.ts'
import { LinearProgram, type Solver } from './highs-model.ts'
import { earliestStarts, type Segment, segmentsOf } from './segments.ts'
import { mostWork } from './session-limits.ts'

export type BoundOptions = {
  /** Minutes per segment of time. */
  step?: number
  /** Minutes per stage, at the end of which dependencies are compared. */
  stage?: number
  /** Time limit in seconds for the integer program, which decides what is late; 0 for the relaxation. */
  seconds?: number
  /** Whether the lateness of a task depends on the last working time that it uses. */
  ends?: boolean
}

/** With more tasks than this, their columns are added gradually. */
const MANY = 300

export const latenessBound = (
  solver: Solver,
  problem: Problem,
  { step = 15, stage = 240, seconds = 0, ends = false }: BoundOptions = {},
): { relaxed: number; bound: number } => {
  const compiled = compile(problem)
  const { fixed, undecided } = splitTasks(compiled)
  const segments = segmentsOf(compiled, step, stage)
  const program = transportation(compiled, segments, undecided, ends)
  const duals =
    undecided.length > MANY
      ? program.dualsByColumns(solver, (column) => beginsWith(program, column), 40)
      : program.solve(solver, {}, true).duals
  const relaxed = fixed + Math.max(0, program.dualBound(duals))
  let bound = relaxed
  if (seconds > 0) {
    const { optimal, value, proven } = program.solve(solver, { time_limit: seconds })
    // Differences below the solver's feasibility tolerances prove nothing.
    const claim = optimal ? Math.min(value, proven) : proven
    if (Number.isFinite(claim)) bound = Math.max(bound, fixed + claim * (1 - 1e-6) - 0.5)
  }
  return { relaxed: wholeNumber(relaxed), bound: wholeNumber(bound) }
}

/** Rounds a bound up, since every plan costs a whole number; the margin is for rounding errors. */
const wholeNumber = (value: number) => Math.max(0, Math.ceil(value * (1 - 1e-9) - 0.01))

/** Whether a column is in the first program: one of eight for working time, and all others for feasibility. */
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
    // Any other task is never late, even if all of it is left over; it counts only if others wait for it.
    else if (due[j]! < horizon + need[j]! || compiled.successors[j]!.length > 0) undecided.push(j)
  }
  return { fixed, undecided }
}

/**
 * The cost of a minute of work that ends at `t`. Over the p minutes right before an end it sums to
 * exactly the lateness of that end; over any other p minutes up to it, to at most that.
 */
const minuteCost = ({ weight, due, need }: Compiled, j: number, t: number) =>
  weight[j]! * Math.max(0, Math.ceil((t - due[j]!) / need[j]!))

type TaskRows = {
  whole: number
  late: number
  /** Per stage: the work done by its end is the work done before it plus the work in it. */
  stages: number[]
  /** Per stage: the rows that contain the share done by its end, with their coefficients. */
  shares: [number, number][][]
  /** Per stretch of open time: no more work than sessions and cooldowns allow. */
  stretches: number[]
  ends: EndRows | undefined
}

export const transportation = (
  compiled: Compiled,
  segments: Segment[],
  undecided: number[],
  withEnds: boolean,
) => {
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
      ends: withEnds ? createEndRows(program, compiled, j, starts[j]!) : undefined,
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

  function columns(j: number, { late, stages, shares, ends }: TaskRows) {
    const p = need[j]!
    if (due[j]! < horizon + p) {
      const entries: [number, number][] = [[late, -p], ...(ends?.late ?? [])]
      program.column(weight[j]! * LATE_PENALTY, 0, 1, entries, true)
    }
    for (const [stage, row] of stages.entries()) {
      const next = stages[stage + 1]
      const entries: [number, number][] = [[row, -1], ...shares[stage]!]
      program.column(0, 0, p, next === undefined ? entries : [...entries, [next, 1]])
    }
    if (!split[j] && undecided.length <= MANY) blocks(j, rows.get(j)!)
    else minutes(j, rows.get(j)!)
    leftOver(j, rows.get(j)!)
  }

  function minutes(j: number, { whole, late, stages, stretches, ends }: TaskRows) {
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
      // Work in a segment that contains the due date may be in time.
      if (start >= due[j]!) entries.push([late, 1])
      if (stages.length) entries.push([stages[segment.stage]!, 1])
      if (stretches.length) entries.push([stretches[stretch]!, 1])
      const cost = minuteCost(compiled, j, start + 1)
      entries.push(...(ends?.minute(start, cost) ?? []))
      program.column(ends ? 0 : cost, 0, segment.end - start, entries)
    }
  }

  /**
   * One column for every block that starts or ends at the edge of a segment. Between two neighbouring
   * columns, the time that a block takes from each segment changes linearly, and its lateness is
   * linear or higher, since no due date falls inside a segment. So a mixture of the two covers any
   * block between them.
   */
  function blocks(j: number, { whole, late, stages, ends }: TaskRows) {
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
        const cost = weight[j]! * Math.max(0, end - due[j]!)
        program.column(ends ? 0 : cost, 0, 1, [...byRow, ...(ends?.block(end, cost) ?? [])])
      }
    }
  }

  /** Left-over minutes count as done right after the horizon; without autoSplit, all of them or none. */
  function leftOver(j: number, { whole, late, ends }: TaskRows) {
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
      entries.push(...(ends?.leftOver(cost) ?? []))
      program.column(ends ? 0 : cost, 0, count, entries)
    }
    if (split[j]) {
      const byCost = Map.groupBy(minutes, (t) => minuteCost(compiled, j, t))
      for (const [cost, same] of byCost) column(cost, same.length)
    } else {
      column(minutes.reduce((sum, t) => sum + minuteCost(compiled, j, t), 0) / p, p)
    }
  }
}
