// Rows and columns that tie the lateness of a task to the last working time that it uses. In the plain program a few
// late minutes cost little, even if the task can only be completed after a weekend. Development only.
import type { Compiled } from '../src/problem/compile.ts'
import type { LinearProgram } from './highs-model.ts'

type Entries = [number, number][]

/** Open time after the due date. `open` is how much of it the task may use. */
type LateWindow = { from: number; until: number; open: number }

/** Open stretches that are closer together than this are one window, so that there are few whole numbers. */
const SAME_WINDOW = 180

export type EndRows = {
  /** What a minute of work adds to the rows; `cost` is what it costs in the plain program. */
  minute: (start: number, cost: number) => Entries
  /** What a block of the whole task adds to the rows. */
  block: (end: number, cost: number) => Entries
  /** What a minute that is left over adds to the rows. */
  leftOver: (cost: number) => Entries
  /** The entry of the column that is 1 if the task is late. */
  late: Entries
}

/**
 * Creates the rows of a task and the columns of its end: the lateness, and per late window whether the task uses it
 * or a later one. Undefined if the task can only be late by work that is left over.
 */
export const createEndRows = (
  program: LinearProgram,
  compiled: Compiled,
  j: number,
  start: number,
): EndRows | undefined => {
  const { need, due, weight, horizon } = compiled
  const p = need[j]!
  if (due[j]! >= horizon) return undefined
  const windows = lateWindows(compiled, j, Math.max(due[j]!, start))
  const atMostZero = () => program.row(-Infinity, 0)
  const cost = atMostZero()
  /** Work in the window, and work in it or later: none unless the window is used. */
  const used = windows.map(atMostZero)
  const rest = windows.map(atMostZero)
  /** A window counts as used if a later one is; the first only if the task is late. */
  const order = windows.map(atMostZero)
  /** The task ends no earlier than its work in the last window allows. */
  const end = windows.map(atMostZero)
  const gap = windows.map(({ from }, k) => from - (windows[k - 1]?.from ?? due[j]!))
  const length = horizon + p - due[j]!
  program.column(weight[j]!, 0, length, [[cost, -weight[j]!], ...toRows(end, -1)])
  for (const [k, { open }] of windows.entries()) {
    const entries: Entries = [
      [used[k]!, -Math.min(p, open)],
      [rest[k]!, -p],
      [order[k]!, 1],
      ...(k + 1 < windows.length ? toRows([order[k + 1]!], -1) : []),
      ...end.map((row, m): [number, number] => [
        row,
        // Work in the window before counts only if this one is not used.
        gap[k]! - (m === k - 1 ? windows[m]!.open : 0),
      ]),
    ]
    program.column(0, 0, 1, entries, true)
  }
  const last = windows.length - 1
  const work = (k: number, minutes: number, minuteCost: number): Entries => [
    [cost, minuteCost],
    [used[k]!, minutes],
    [end[k]!, minutes],
    ...toRows(rest.slice(0, k + 1), minutes),
  ]
  const windowAt = (minute: number) => windows.findIndex(({ until }) => minute <= until)
  return {
    minute: (begin, minuteCost) =>
      begin < due[j]! ? [] : work(windowAt(begin + 1), 1, minuteCost),
    block: (over, blockCost) => {
      if (over <= due[j]!) return []
      const k = windowAt(over)
      return [
        [cost, blockCost],
        [used[k]!, Math.min(p, windows[k]!.open)],
        [end[k]!, over - windows[k]!.from],
        ...toRows(rest.slice(0, k + 1), p),
      ]
    },
    leftOver: (minuteCost) => work(last, 1, minuteCost),
    late: [[order[0]!, -1]],
  }
}

const toRows = (rows: readonly number[], value: number): Entries => rows.map((row) => [row, value])

/** The last window is the time after the horizon, where work that is left over counts as done. */
const lateWindows = (compiled: Compiled, j: number, first: number): LateWindow[] => {
  const { classes, classOf, horizon, need } = compiled
  const { free } = classes[classOf[j]!]!
  const windows: LateWindow[] = []
  for (let i = 0; i < free.length; i += 2) {
    const from = Math.max(free[i]!, first)
    const until = free[i + 1]!
    if (from >= until) continue
    const before = windows.at(-1)
    if (before && from - before.until < SAME_WINDOW) {
      before.until = until
      before.open += until - from
    } else windows.push({ from, until, open: until - from })
  }
  return [...windows, { from: horizon, until: Infinity, open: need[j]! }]
}
