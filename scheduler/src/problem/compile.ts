// Compiles the problem for the planner: whole minutes from `t0`, arrays by task number.
import type { Block, Problem, Task } from '../model.ts'
import { classifyBlocks } from './classify.ts'
import { dependencyGraph } from './dependencies.ts'
import { clip, subtract, union } from './intervals.ts'
import { NO_DUE, NO_END, WEIGHT } from './weights.ts'
import { DEFAULT_WINDOWS, fourteenDaysOn, windowExpander, zoneOf } from './windows.ts'

const MINUTE = 60_000
const MARK = 5 * MINUTE
const NOTHING: Int32Array = new Int32Array(0)
const NO_BLOCKS: Block[] = []

export type AvailabilityClass = {
  /** Where the windows of the set are open in the horizon: merged pairs. */
  windows: Int32Array
  /** The same without the busy time: where a session may lie before any is placed. */
  free: Int32Array
}

export type Compiled = {
  problem: Problem
  /** The zone that is planned in: the stored one, or Sydney. */
  timezone: string
  /** Minute 0 as an instant: now rounded up to the next mark of five minutes. */
  t0: number
  /** Sessions end at or before this minute: the horizon's end rounded down to a mark, so that all
   *  runs between two marks see the same stretch of time. */
  horizon: number
  /** The horizon's exact end as an instant. */
  horizonEnd: number

  /** The considered tasks (open, auto-scheduled, with an estimate) by id. Their position is the
   *  task number by which the arrays below go. */
  tasks: Task[]
  /** Minutes still to place: the estimate without the counted work. 0 where that is enough. */
  need: Int32Array
  /** The earliest start: `startAfter`, and the kept blocks of the tasks it depends on. At least 0;
   *  may be past the horizon. */
  release: Int32Array
  /** A session that ends at this minute is in time; negative when overdue, `NO_DUE` without. */
  due: Int32Array
  /** 1, 2, 4, 8, 16 from no priority to urgent. */
  weight: Int32Array
  /** The shortest session; never more than `max`. */
  min: Int32Array
  max: Int32Array
  cooldown: Int32Array
  /** 0: one block of the whole need, or none. */
  split: Uint8Array
  /** Number of its window set in `classes`. */
  classOf: Int32Array
  /** 1: needs time but may get none in any plan, since it waits, directly or by others, for an open
   *  task that the planner does not plan and whose blocks do not cover its estimate. */
  blocked: Uint8Array
  /** End of its last kept block, past ones included (so maybe negative), or `NO_END`. */
  keptEnd: Int32Array
  /** Per task: where its own kept blocks and the cooldown around them forbid a session. Pairs,
   *  within [0, horizon]. */
  guards: Int32Array[]
  /** Per task: its blocks of the earlier plan that this run rewrites, pairs in order of start.
   *  They may start before 0 (then they cannot be kept), overlap, or break any other rule. */
  previous: Int32Array[]

  /** Task numbers of the considered tasks it waits for, ascending; no cycles. */
  predecessors: Int32Array[]
  successors: Int32Array[]
  /** Task numbers, every one after those it waits for. */
  topological: Int32Array

  classes: AvailabilityClass[]
  /** All kept blocks in the horizon, merged pairs. */
  busy: Int32Array
  /** Ids of the blocks to cancel, sorted: rewritten ones and those of closed tasks. */
  cancel: string[]
}

export const compile = (problem: Problem): Compiled => {
  const timezone = zoneOf(problem.timezone)
  const t0 = Math.ceil(problem.now / MARK) * MARK
  const horizonEnd = fourteenDaysOn(problem.now, timezone)
  const horizon = Math.floor((Math.floor(horizonEnd / MARK) * MARK - t0) / MINUTE)

  const all = new Map(problem.tasks.map((task) => [task.id, task]))
  const { kept, rewritten, tidied } = classifyBlocks(problem, all)
  const keptOf = Map.groupBy(kept, (block) => block.taskId)
  const rewrittenOf = Map.groupBy(rewritten, (block) => block.taskId)

  const tasks = problem.tasks.filter(isConsidered).toSorted(byId)
  const n = tasks.length
  const ints = (value: (task: Task, j: number) => number) => Int32Array.from(tasks, value)
  const early = (instant: number) => Math.floor((instant - t0) / MINUTE)
  const late = (instant: number) => Math.ceil((instant - t0) / MINUTE)

  const busy = union(clip(kept.map(minutesOf), 0, horizon))
  function minutesOf(block: Block): [number, number] {
    return [early(block.startAt), late(block.endAt)]
  }

  const need = ints((task) =>
    Math.max(0, task.estimateMinutes! - countedMinutes(keptOf.get(task.id) ?? NO_BLOCKS)),
  )
  const due = ints((task) => (task.dueAt === null ? NO_DUE : capped(early(task.dueAt))))
  const cooldown = ints((task) => Math.max(0, task.cooldownMinutes))
  const guards = tasks.map((task, j) => {
    const own = keptOf.get(task.id)
    if (!own) return NOTHING
    const around = own.map((block): [number, number] => {
      const [start, end] = minutesOf(block)
      return [start - cooldown[j]!, end + cooldown[j]!]
    })
    return union(clip(around, 0, horizon))
  })

  const lastEnd = (taskId: string) =>
    (keptOf.get(taskId) ?? NO_BLOCKS).reduce(
      (end, block) => Math.max(end, late(block.endAt)),
      NO_END,
    )
  const graph = dependencyGraph(problem, all, tasks, (task) => {
    const covered = countedMinutes(keptOf.get(task.id) ?? NO_BLOCKS)
    return { end: lastEnd(task.id), covers: covered >= (task.estimateMinutes ?? 0) }
  })

  const expand = windowExpander(timezone, t0, horizon)
  const classes: AvailabilityClass[] = []
  const numbers = new Map<Int32Array, number>()
  const classOf = ints((task) => {
    const windows = expand(task.windows ?? DEFAULT_WINDOWS)
    let number = numbers.get(windows)
    if (number === undefined) {
      number = classes.push({ windows, free: subtract(windows, busy) }) - 1
      numbers.set(windows, number)
    }
    return number
  })

  const blocked = new Uint8Array(n)
  for (const j of graph.topological) {
    const waits = graph.waitsForUnplanned[j]! || graph.predecessors[j]!.some((i) => blocked[i]!)
    blocked[j] = waits && need[j]! > 0 ? 1 : 0
  }

  return {
    problem,
    timezone,
    t0,
    horizon,
    horizonEnd,
    tasks,
    need,
    release: ints((task, j) =>
      Math.max(0, task.startAfter === null ? 0 : capped(late(task.startAfter)), graph.after[j]!),
    ),
    due,
    weight: ints((task) => WEIGHT[task.priority]),
    min: ints((task) => Math.min(task.minSessionMinutes, task.maxSessionMinutes)),
    max: ints((task) => task.maxSessionMinutes),
    cooldown,
    split: Uint8Array.from(tasks, (task) => (task.autoSplit ? 1 : 0)),
    classOf,
    blocked,
    // A block that ends in time must not become late by rounding up to whole minutes.
    keptEnd: ints((task, j) => {
      const own = keptOf.get(task.id) ?? NO_BLOCKS
      const isLate = own.some(({ endAt }) => endAt > (task.dueAt ?? Infinity))
      return isLate ? lastEnd(task.id) : Math.min(lastEnd(task.id), due[j]!)
    }),
    guards,
    previous: tasks.map((task) => {
      const own = rewrittenOf.get(task.id)
      if (!own) return NOTHING
      return Int32Array.from(
        own
          .map((block) => [block.startAt, block.endAt].map((at) => (at - t0) / MINUTE))
          // The planner's blocks start and end on whole minutes; others cannot be kept.
          .filter((pair) => pair.every(Number.isInteger))
          .toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)
          .flat(),
      )
    }),
    predecessors: graph.predecessors,
    successors: graph.successors,
    topological: graph.topological,
    classes,
    busy,
    cancel: [...rewritten, ...tidied].map((block) => block.id).toSorted(),
  }
}

/** Rule 2 of the contract. */
const isConsidered = (task: Task) =>
  task.autoSchedule &&
  task.estimateMinutes !== null &&
  !['completed', 'cancelled', 'archived'].includes(task.status)

/** The union of the blocks in minutes: where two overlap, the time counts once. Rounded to
 *  whole minutes, so that a block dragged to odd seconds leaves no rest of less than a minute. */
const countedMinutes = (blocks: Block[]): number => {
  if (blocks.length === 0) return 0
  let sum = 0
  let until = -Infinity
  for (const { startAt, endAt } of blocks.toSorted((a, b) => a.startAt - b.startAt)) {
    sum += Math.max(0, endAt - Math.max(startAt, until))
    until = Math.max(until, endAt)
  }
  return Math.round(sum / MINUTE)
}

/** Limits dates of other centuries to what 32 bits hold. */
const capped = (minute: number) => Math.max(-0x3ffffffe, Math.min(0x3ffffffe, minute))

const byId = (a: { id: string }, b: { id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0
