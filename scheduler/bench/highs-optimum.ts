// The least lateness of any plan on a grid of half hours, proven by HiGHS, and such a plan. For small
// problems in which every time and length is a multiple of the grid. Development only.
import type { Plan, Problem } from '../src/model.ts'
import { compile, type Compiled } from '../src/problem/compile.ts'
import { LATE_PENALTY } from '../src/problem/weights.ts'
import { splitTasks } from './highs-bound.ts'
import { LinearProgram, type Solver } from './highs-model.ts'
import { planOf } from './plan-of.ts'
import { earliestStarts, segmentsOf } from './segments.ts'

const GRID = 30

export type Optimum = { lateness: number; proven: boolean; plan: Plan }

/**
 * `known` is the lateness of a known plan: worse ones are not considered. Work that can never be
 * late is left out of the plan. Undefined if the solver found no plan in time.
 */
export const optimum = (
  solver: Solver,
  problem: Problem,
  known: number,
  seconds: number,
): Optimum | undefined => {
  const compiled = compile(problem)
  const { program, sessions } = exactProgram(compiled, known)
  const { columns, value, optimal } = program.solve(solver, {
    time_limit: seconds,
    mip_rel_gap: 0,
    mip_abs_gap: 0.9,
  })
  if (!columns.length || !(Math.abs(value) < 1e12)) return undefined
  const plan = planOf(compiled, sessions(columns))
  return { lateness: plan.cost.lateness, proven: optimal, plan }
}

/** A linear expression: pairs of a column and its coefficient. */
type Terms = [number, number][]

const exactProgram = (compiled: Compiled, known: number) => {
  const { need, due, weight, horizon, split, classOf, predecessors, max, cooldown } = compiled
  const segments = segmentsOf(compiled, GRID)
  const { fixed, undecided: tasks } = splitTasks(compiled)
  const begins = earliestStarts(compiled)
  const costs: number[] = []
  const uppers: number[] = []
  const rows: { terms: Terms; lower: number; upper: number }[] = []
  const column = (cost: number, upper = 1) => {
    uppers.push(upper)
    return costs.push(cost) - 1
  }
  const atMost = (upper: number, terms: Terms) => rows.push({ terms, lower: -Infinity, upper })

  const work = new Map(tasks.map((j) => [j, segments.map((): Terms => [])]))
  /** Per task and segment: the column that is 1 if the task is worked on there or later, or is left over. */
  const goesOn = new Map<number, number[]>()
  for (const j of tasks) addTask(j)
  for (const s of segments.keys()) {
    atMost(
      1,
      tasks.flatMap((j) => work.get(j)![s]!),
    )
  }
  for (const j of tasks) for (const i of predecessors[j]!) if (goesOn.has(i)) waitFor(i, j)
  atMost(
    known - fixed,
    costs.map((cost, col) => [col, cost]),
  )
  return { program: transposed(), sessions }

  function addTask(j: number) {
    const count = need[j]! / GRID
    const own = work.get(j)!
    const isOpen = segments.map(
      ({ start, classes }) => start >= begins[j]! && classes.has(classOf[j]!),
    )
    for (const s of segments.keys()) {
      const run = segments.slice(s, split[j] ? s + 1 : s + count)
      const joined = run.at(-1)!.end - run[0]!.start === (split[j] ? GRID : need[j]!)
      if (!joined || !run.every((_, i) => isOpen[s + i])) continue
      const here = column(0)
      for (const i of run.keys()) own[s + i]!.push([here, 1])
    }
    if (split[j] && cooldown[j]! > 0) limitRuns(j)

    const late = (end: number) => (end > due[j]! ? weight[j]! * (LATE_PENALTY + end - due[j]!) : 0)
    if (late(horizon) === 0 && late(horizon + need[j]!) > 0) {
      throw new Error('A due date right after the horizon is not modelled')
    }
    const left = column(late(horizon) > 0 ? weight[j]! * GRID : 0, count)
    rows.push({ terms: [...own.flat(), [left, 1]], lower: count, upper: count })

    // From the end backwards, as each column implies those before it.
    const leftAtAll = column(0)
    atMost(0, [
      [left, 1],
      [leftAtAll, -count],
    ])
    if (!split[j])
      atMost(0, [
        [leftAtAll, count],
        [left, -1],
      ])
    const marks: number[] = [leftAtAll]
    let after: Terms = [[left, 1]]
    let price = late(horizon)
    for (let s = segments.length - 1; s >= 0; s--) {
      let mark = marks[0]!
      if (isOpen[s]) {
        const end = late(segments[s]!.end)
        costs[mark]! += price - end
        price = end
        mark = column(0)
        after = [...own[s]!, ...after]
        atMost(0, [
          [marks[0]!, 1],
          [mark, -1],
        ])
        atMost(0, [...own[s]!, [mark, -1]])
        atMost(0, [...after, [mark, -count]])
      }
      marks.unshift(mark)
    }
    costs[marks[0]!]! += price
    goesOn.set(j, marks)
  }

  /** Limits work without a pause to the longest session; a pause of one segment is long enough. */
  function limitRuns(j: number) {
    const longest = max[j]! / GRID
    for (const s of segments.keys()) {
      const run = segments.slice(s, s + longest + 1)
      if (run.at(-1)!.end - run[0]!.start !== (longest + 1) * GRID) continue
      atMost(
        longest,
        run.flatMap((_, i) => work.get(j)![s + i]!),
      )
    }
  }

  function waitFor(i: number, j: number) {
    for (const [s, terms] of work.get(j)!.entries()) {
      if (terms.length > 0) atMost(1, [...terms, [goesOn.get(i)![s]!, 1]])
    }
  }

  function transposed() {
    const program = new LinearProgram()
    const entries = costs.map((): Terms => [])
    for (const { terms, lower, upper } of rows) {
      const row = program.row(lower, upper)
      const sum = new Map<number, number>()
      for (const [col, value] of terms) sum.set(col, (sum.get(col) ?? 0) + value)
      for (const [col, value] of sum) entries[col]!.push([row, value])
    }
    for (const [col, cost] of costs.entries()) {
      program.column(cost, 0, uppers[col]!, entries[col]!, true)
    }
    return program
  }

  /** Per task, the start and end of each session, cut where it would be too long. */
  function sessions(values: ArrayLike<number>) {
    const found: number[][] = compiled.tasks.map(() => [])
    for (const j of tasks) {
      for (const [s, { start, end }] of segments.entries()) {
        const done = work.get(j)![s]!.some(([col]) => values[col]! > 0.5)
        const last = found[j]!.length - 1
        const goes = last > 0 && found[j]![last] === start
        const room = !split[j] || (goes && start - found[j]![last - 1]! < max[j]!)
        if (done && goes && room) found[j]![last] = end
        else if (done) found[j]!.push(start, end)
      }
    }
    return found
  }
}
