// Compiles the problem for the planner: whole minutes from `t0`, arrays by task number.
import type { Block, Problem, Recurring, Task } from '../model.ts'
import { classifyBlocks } from './classify.ts'
import type { DailyLimit } from './daily-limit.ts'
import { type DependencyGraph, dependencyGraph } from './dependencies.ts'
import { limitOccurrences, type OccurrenceLimits, type TakenDay } from './recurring.ts'
import { clip, pairsOf, subtract, union } from './intervals.ts'
import { type OpenMinutes, openMinutesOf } from './open-minutes.ts'
import type { Pauses } from './pauses.ts'
import { compilePreferences } from './preferences.ts'
import { isLongWork, type PreferredTimes } from './preferred-times.ts'
import { NO_DUE, NO_END, WEIGHT } from './weights.ts'
import {
  calendar,
  dayStarts,
  DEFAULT_WINDOWS,
  fourteenDaysOn,
  windowExpander,
  zoneOf,
} from './windows.ts'

const MINUTE = 60_000
const MARK = 5 * MINUTE
/** In minutes. */
const DAY = 1440
const NOTHING: Int32Array = new Int32Array(0)
const NO_BLOCKS: Block[] = []

export type AvailabilityClass = {
  /** When the windows of the set are open in the horizon, as merged pairs. */
  windows: Int32Array
  /** The windows without busy time, lunch and the pauses after kept blocks: where a session may lie. */
  free: Int32Array
  /** Parts of the free time to try first. */
  preferred: PreferredTimes
}

export type Compiled = {
  problem: Problem
  /** The time zone to plan in: the stored one, or Sydney if that is invalid. */
  timezone: string
  /** Minute 0 as an instant: now, rounded up to a multiple of five minutes. */
  t0: number
  /** Sessions end at or before this minute: the horizon's end, rounded down to a multiple of five
   *  minutes, so that all runs within the same five minutes plan the same stretch of time. */
  horizon: number
  /** The horizon's exact end as an instant. */
  horizonEnd: number

  /** The considered tasks (open, auto-scheduled, with an estimate), sorted by id. A task's position
   *  is its task number, which indexes the arrays below. */
  tasks: Task[]
  /** Minutes still to place: the estimate less the minutes of kept blocks; 0 if they cover it. */
  need: Int32Array
  /** The earliest start: `startAfter`, and the kept blocks of the tasks it depends on. At least 0;
   *  may be past the horizon. */
  release: Int32Array
  /** A session that ends at this minute is in time. Negative if overdue; `NO_DUE` without a due date. */
  due: Int32Array
  /** Sessions end at or before this minute: the horizon, or when an occurrence of a habit lapses. */
  until: Int32Array
  /** Work that is left over counts as done directly after this minute: the horizon, or a day after an
   *  occurrence of a habit has lapsed. */
  leftOverFrom: Int32Array
  /** Days already taken by kept blocks or completed occurrences; null without recurring work. */
  takenDays: readonly TakenDay[] | null
  /** 1 if the task could also use a day that belongs to another occurrence of its habit. */
  sharesDays: Uint8Array
  /** 1, 2, 4, 8, 16 from no priority to urgent. */
  weight: Int32Array
  /** The shortest session; never more than `max`. */
  min: Int32Array
  max: Int32Array
  cooldown: Int32Array
  /** 0 if the task must be placed as one block of its whole need, or not at all. */
  split: Uint8Array
  /** Number of its window set in `classes`. */
  classOf: Int32Array
  /** 1 if the task needs time but no plan may give it any: it waits, directly or indirectly, for an
   *  open task that is not planned here and whose kept blocks do not cover its estimate. */
  blocked: Uint8Array
  /** The end of its last kept block, or `NO_END`. Past blocks count, so it may be negative. */
  keptEnd: Int32Array
  /** Per task: where its own kept blocks, the cooldown around them or the limits of recurring work
   *  forbid a session. Pairs within [0, horizon]. */
  guards: Int32Array[]
  /** Like `guards`, but without the limits of recurring work. */
  keptGuards: Int32Array[]
  /** Per task: its blocks of the earlier plan that this run rewrites, pairs in order of start.
   *  They may start before 0 (then they cannot be kept), overlap, or break any other rule. */
  previous: Int32Array[]

  /** Per task: the numbers of the considered tasks it waits for, ascending. There are no cycles. */
  predecessors: Int32Array[]
  successors: Int32Array[]
  /** Task numbers, every one after those it waits for. */
  topological: Int32Array

  classes: AvailabilityClass[]
  /** All kept blocks in the horizon, merged pairs. */
  busy: Int32Array
  /** Lunch breaks, as pairs. They are not part of any window set's free time. */
  lunch: Int32Array
  pauses: Pauses | null
  dailyLimit: DailyLimit | null
  openMinutes: OpenMinutes
  /** 1 for long work, which has preferred times of its own. */
  isLong: Uint8Array
  /** Ids of the blocks to cancel, sorted: rewritten ones and those of closed tasks. */
  cancel: string[]
}

/** `isNearPreferred` limits recurring work to the hours around its preferred time, if they have room. */
export const compile = (problem: Problem, isNearPreferred = false): Compiled => {
  const timezone = zoneOf(problem.timezone)
  const t0 = Math.ceil(problem.now / MARK) * MARK
  const horizonEnd = fourteenDaysOn(problem.now, timezone)
  const horizon = Math.floor((Math.floor(horizonEnd / MARK) * MARK - t0) / MINUTE)
  const { early, late, busyMinutes } = minutesFrom(t0)

  const all = new Map(problem.tasks.map((task) => [task.id, task]))
  const { kept, rewritten, tidied } = classifyBlocks(problem, all)
  const keptOf = Map.groupBy(kept, (block) => block.taskId)
  const keptBlocks = (task: Task) => keptOf.get(task.id) ?? NO_BLOCKS
  const rewrittenOf = Map.groupBy(rewritten, (block) => block.taskId)
  const busy = union(clip(kept.filter(takesTime).map(busyMinutes), 0, horizon))

  const tasks = problem.tasks.filter(isConsidered).toSorted(byId)
  const ints = (value: (task: Task, j: number) => number) => Int32Array.from(tasks, value)
  const need = ints((task) => Math.max(0, task.estimateMinutes! - countedMinutes(keptBlocks(task))))
  const due = ints((task) => (task.dueAt === null ? NO_DUE : clampMinute(early(task.dueAt))))
  const cooldown = ints((task) => Math.max(0, task.cooldownMinutes))
  const lastEnd = (task: Task) =>
    keptBlocks(task).reduce((end, block) => Math.max(end, busyMinutes(block)[1]), NO_END)
  const graph = dependencyGraph(problem, all, tasks, (task) => ({
    end: lastEnd(task),
    covers: countedMinutes(keptBlocks(task)) >= (task.estimateMinutes ?? 0),
  }))
  const available = availability({ problem, timezone, t0, horizon }, tasks, kept, busy)
  const release = ints((task, j) =>
    Math.max(0, task.startAfter === null ? 0 : clampMinute(late(task.startAfter)), graph.after[j]!),
  )
  const keptGuards = tasks.map((task, j) => guardsOf(keptBlocks(task), cooldown[j]!, t0, horizon))

  const limits = limitsOf(
    { problem, timezone, t0, horizon, tasks, need, release, keptGuards, ...available },
    all,
    kept,
    isNearPreferred,
  )

  return {
    problem,
    timezone,
    t0,
    horizon,
    horizonEnd,
    tasks,
    need,
    release,
    due,
    ...limits,
    weight: ints((task) => WEIGHT[task.priority]),
    min: ints((task) => Math.min(task.minSessionMinutes, task.maxSessionMinutes)),
    max: ints((task) => task.maxSessionMinutes),
    cooldown,
    split: Uint8Array.from(tasks, (task) => (task.autoSplit ? 1 : 0)),
    classOf: available.classOf,
    blocked: blockedTasks(graph, need),
    // A block that ends in time must not become late by rounding up to whole minutes.
    keptEnd: ints((task, j) => {
      const isLate = keptBlocks(task).some((block) => busyEnd(block) > (task.dueAt ?? Infinity))
      return isLate ? lastEnd(task) : Math.min(lastEnd(task), due[j]!)
    }),
    keptGuards,
    previous: tasks.map((task) =>
      problem.fromScratch ? NOTHING : previousOf(rewrittenOf.get(task.id), t0),
    ),
    predecessors: graph.predecessors,
    successors: graph.successors,
    topological: graph.topological,
    classes: available.classes,
    busy,
    lunch: available.lunch,
    pauses: available.pauses,
    dailyLimit: available.dailyLimit,
    openMinutes: openMinutesOf(available.classes, horizon),
    isLong: Uint8Array.from(tasks, (task) => (isLongWork(task) ? 1 : 0)),
    cancel: [...rewritten, ...tidied].map((block) => block.id).toSorted(),
  }
}

/** The window sets with their free time, and the compiled preferences. */
const availability = (
  { problem, timezone, t0, horizon }: Pick<Compiled, 'problem' | 'timezone' | 't0' | 'horizon'>,
  tasks: Task[],
  kept: Block[],
  busy: Int32Array,
) => {
  const { early, late } = minutesFrom(t0)
  const days = calendar(timezone, t0, t0 + horizon * MINUTE)
  const { lunch, pauses, dailyLimit, closed, preferredTimes } = compilePreferences(
    problem.preferences ?? {},
    {
      timezone,
      t0,
      horizon,
      days,
      kept: kept.map(({ startAt, endAt }) => [early(startAt), late(endAt)]),
      work: kept
        .filter((block) => takesTime(block) && block.taskId !== null)
        .map((block) => [block.startAt, busyEnd(block)]),
    },
  )
  const unavailable = closed.length > 0 ? union([...pairsOf(busy), ...closed]) : busy
  const expand = windowExpander(days, t0, horizon)
  const classes: AvailabilityClass[] = []
  const numbers = new Map<Int32Array, number>()
  const classOf = Int32Array.from(tasks, (task) => {
    const windows = expand(task.windows ?? DEFAULT_WINDOWS)
    let number = numbers.get(windows)
    if (number === undefined) {
      const free = subtract(windows, unavailable)
      number = classes.push({ windows, free, preferred: preferredTimes(free) }) - 1
      numbers.set(windows, number)
    }
    return number
  })
  return { classes, classOf, lunch, pauses, dailyLimit }
}

type LimitedInput = Pick<
  Compiled,
  | 'problem'
  | 'timezone'
  | 't0'
  | 'horizon'
  | 'tasks'
  | 'need'
  | 'release'
  | 'keptGuards'
  | 'classes'
  | 'classOf'
>

/** The limits of recurring work: when its tasks must end, and where they may not lie. */
const limitsOf = (
  { problem, timezone, t0, horizon, tasks, need, release, keptGuards, ...sets }: LimitedInput,
  all: ReadonlyMap<string, Task>,
  kept: Block[],
  isNearPreferred: boolean,
) => {
  const { early } = minutesFrom(t0)
  const until = Int32Array.from(tasks, ({ recurring }) => {
    const notAfter = recurring?.notAfter ?? null
    return notAfter === null ? horizon : Math.min(horizon, clampMinute(early(notAfter)))
  })
  const hasLimit = ({ recurring }: Task) => typeof recurring?.notAfter === 'number'
  const takenDays = tasks.some(({ recurring }) => recurring)
    ? takenDaysOf(problem, all, kept, t0)
    : null
  const input = { timezone, t0, horizon, tasks, need, release, until, takenDays, ...sets }
  const limits = occurrenceLimits(input, isNearPreferred)
  return {
    until,
    leftOverFrom: until.map((minute, j) => (hasLimit(tasks[j]!) ? minute + DAY : minute)),
    takenDays,
    sharesDays: Uint8Array.from(tasks, (_, j) => (limits.get(j)?.sharesDays ? 1 : 0)),
    guards: keptGuards.map((guards, j) => {
      const closed = limits.get(j)?.closed
      return closed ? union([...pairsOf(guards), ...pairsOf(closed)]) : guards
    }),
  }
}

type OccurrenceInput = Pick<
  Compiled,
  | 'timezone'
  | 't0'
  | 'horizon'
  | 'tasks'
  | 'need'
  | 'release'
  | 'until'
  | 'takenDays'
  | 'classes'
  | 'classOf'
>

const occurrenceLimits = (
  {
    timezone,
    t0,
    horizon,
    tasks,
    need,
    release,
    until,
    takenDays,
    classes,
    classOf,
  }: OccurrenceInput,
  isNearPreferred: boolean,
): Map<number, OccurrenceLimits> => {
  if (takenDays === null) return new Map()
  const occurrences = tasks.flatMap(({ id, recurring, autoSplit, maxSessionMinutes }, j) => {
    if (!recurring || need[j] === 0) return []
    const { free } = classes[classOf[j]!]!
    const session = autoSplit ? Math.min(need[j]!, maxSessionMinutes) : need[j]!
    return [{ task: j, id, recurring, session, release: release[j]!, until: until[j]!, free }]
  })
  const days = calendar(timezone, t0, t0 + horizon * MINUTE)
  const minuteOn = (day: number, minute: number) =>
    Math.ceil((days[day]!.instant(minute) - t0) / MINUTE)
  const starts = dayStarts(timezone, t0, horizon)
  return limitOccurrences(occurrences, takenDays, { starts, minuteOn, horizon }, isNearPreferred)
}

/** The days taken by kept blocks and by completed occurrences. */
const takenDaysOf = (
  problem: Problem,
  all: ReadonlyMap<string, Task>,
  kept: Block[],
  t0: number,
): TakenDay[] => {
  const { early } = minutesFrom(t0)
  const takenDay = (
    recurring: Recurring | null | undefined,
    task: string | null,
    at: number | null,
  ) =>
    recurring?.series && at !== null ? [{ series: recurring.series, task, minute: early(at) }] : []
  return [
    ...kept.flatMap(({ taskId, startAt }) =>
      takenDay(all.get(taskId ?? '')?.recurring, taskId, startAt),
    ),
    ...problem.tasks.flatMap(({ recurring }) =>
      takenDay(recurring, null, recurring?.doneAt ?? null),
    ),
  ]
}

const blockedTasks = (graph: DependencyGraph, need: Int32Array): Uint8Array => {
  const blocked = new Uint8Array(need.length)
  for (const j of graph.topological) {
    const waits = graph.waitsForUnplanned[j]! || graph.predecessors[j]!.some((i) => blocked[i]!)
    blocked[j] = waits && need[j]! > 0 ? 1 : 0
  }
  return blocked
}

const guardsOf = (kept: Block[], cooldown: number, t0: number, horizon: number): Int32Array => {
  if (kept.length === 0) return NOTHING
  const { busyMinutes } = minutesFrom(t0)
  const around = kept.filter(takesTime).map((block): [number, number] => {
    const [start, end] = busyMinutes(block)
    return [start - cooldown, end + cooldown]
  })
  return union(clip(around, 0, horizon))
}

const previousOf = (rewritten: Block[] | undefined, t0: number): Int32Array => {
  if (!rewritten) return NOTHING
  return Int32Array.from(
    rewritten
      .map((block) => [block.startAt, block.endAt].map((at) => (at - t0) / MINUTE))
      // The planner places blocks on whole minutes, so a block at an odd time cannot be kept.
      .filter((pair) => pair.every(Number.isInteger))
      .toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!)
      .flat(),
  )
}

/** Converts instants to whole minutes, rounded down or up. A block takes every minute it touches. */
const minutesFrom = (t0: number) => {
  const early = (instant: number) => Math.floor((instant - t0) / MINUTE)
  const late = (instant: number) => Math.ceil((instant - t0) / MINUTE)
  const busyMinutes = (block: Block): [number, number] => [
    early(block.startAt),
    late(busyEnd(block)),
  ]
  return { early, late, busyMinutes }
}

/** Rule 2 of the contract: open, auto-scheduled and with an estimate. */
const isConsidered = (task: Task) =>
  task.autoSchedule &&
  task.estimateMinutes !== null &&
  !['completed', 'cancelled', 'archived'].includes(task.status)

const busyEnd = ({ endAt, busyUntil }: Block): number => Math.min(endAt, busyUntil ?? endAt)

/** False for a block that was completed before it started. */
const takesTime = (block: Block): boolean => busyEnd(block) > block.startAt

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

/** Clamps minutes of very distant dates to the range of a 32-bit integer. */
const clampMinute = (minute: number) => Math.max(-0x3ffffffe, Math.min(0x3ffffffe, minute))

const byId = (a: { id: string }, b: { id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0
