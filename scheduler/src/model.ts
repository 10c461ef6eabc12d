// The problem and the plan, as plain data. Times are milliseconds since 1970 in UTC.

export type Priority = 'none' | 'low' | 'medium' | 'high' | 'urgent'

/** Weekly time in the user's zone; day 0 is Sunday, times are `HH:MM`. */
export type Window = { day: number[]; start: string; end: string }

export type Task = {
  id: string
  title: string
  status: 'backlog' | 'todo' | 'in_progress' | 'completed' | 'cancelled' | 'archived'
  priority: Priority
  /** True if auto-scheduling is on for the task and for its project. */
  autoSchedule: boolean
  autoSplit: boolean
  locked: boolean
  dueAt: number | null
  startAfter: number | null
  estimateMinutes: number | null
  minSessionMinutes: number
  maxSessionMinutes: number
  cooldownMinutes: number
  /** The windows of the task's schedule preference; null for the default windows. */
  windows: Window[] | null
  /** Set only for an occurrence of recurring work. */
  recurring?: Recurring | null
}

export type Recurring = {
  /** Set for an occurrence of a habit: when it lapses. No session may end after this time. */
  notAfter: number | null
  /** Occurrences of one series must be on different local days. Null if several may share a day. */
  series: string | null
  /** When another occurrence of the series was last completed. */
  doneAt: number | null
  /** `HH:MM`: the task is planned near this time unless that makes work late or leaves work over. */
  preferredTime: string | null
}

export type Block = {
  id: string
  taskId: string | null
  type: string
  source: string
  status: 'scheduled' | 'in_progress' | 'completed'
  locked: boolean
  startAt: number
  endAt: number
  /** Set for a block that was completed early: it is busy only until this time, but its full length
   *  counts toward the estimate. */
  busyUntil?: number | null
  /** For the planner's own blocks: the explanation stored with the block, and when it was planned.
   *  Without them, a block that stays is explained as if it were new. */
  explanation?: string | null
  plannedAt?: number
}

/** The user's planning preferences. An absent one is off. Times are `HH:MM` in the user's zone. */
export type Preferences = {
  /** Keeps `minutes` free between `from` and `to`, or fewer if kept blocks leave less room. */
  lunch?: { from: string; to: string; minutes: number } | null
  /** A pause after a session of at least `afterMinutes`. */
  breaks?: { afterMinutes: number; minutes: number } | null
  /** The maximum task work on a local day, including kept blocks of tasks. */
  dailyLimitMinutes?: number | null
  /** The share of each day's open time that is reserved for work that would be late or left over. */
  keepFreePercent?: number | null
  /** The free time between sessions of different tasks. */
  bufferMinutes?: number | null
  /** The hours in which long work is placed if that does not make it late. Long work means tasks of
   *  two hours or more, and tasks whose sessions may last an hour or more. */
  focusHours?: { from: string; to: string } | null
  /** Long work begins before this time, unless it would be late or left over. */
  deepWorkUntil?: string | null
}

/** `taskId` may start only when the work of `dependsOnTaskId` is done. */
export type Dependency = { taskId: string; dependsOnTaskId: string }

export type Problem = {
  now: number
  /** The stored value, which may not be a valid time zone. */
  timezone: string
  /** Every open task, and every closed task that has one of the blocks. In any order. */
  tasks: Task[]
  /** Every block that is not cancelled, if it has not ended or belongs to an open task. With a lunch
   *  break or a daily limit, also the blocks of today that have ended. */
  blocks: Block[]
  dependencies: Dependency[]
  /** Ids of the tasks made, edited or closed since the last applied run; undefined if unknown. */
  changed?: readonly string[]
  /** The former times of the planner's blocks that were cancelled, deleted, moved or stopped early
   *  since that run. */
  freed?: readonly { startAt: number; endAt: number }[] | null
  /** The bound of the last applied run and the version of its planner, given if only time has passed
   *  since. An unchanged plan reuses its lateness. */
  previousBound?: { lateness: number; leftOver: number; version: string } | null
  /** When the last applied run was made. The first run of a day may move more than later ones. */
  lastRunAt?: number | null
  preferences?: Preferences | null
  /** Whether to ignore the current times of the blocks that the run rewrites. */
  fromScratch?: boolean
}

export type PlannedBlock = {
  taskId: string
  startAt: number
  endAt: number
  /** There is no other place left for it before its due date. */
  defended: boolean
  /** Why the block is at this time, in a sentence or two. Times are in the user's zone. */
  explanation: string
}

/**
 * Why work is late or left over. `proof` says why no plan could finish all the tasks it names in time,
 * or place all of their work; null if there is no proof. `text` includes the proof.
 */
export type Reason = { taskId: string; text: string; proof: string | null }

/** Compared in this order; less is better. */
export type Cost = {
  /** Weighted by priority: one day for each late task, plus every minute that it is late. */
  lateness: number
  /** Weighted minutes that are not placed. */
  leftOver: number
  /** Lower if tasks of higher weight come earlier and if there are fewer sessions. */
  earliness: number
}

export type Plan = {
  /** Changes whenever the same problem may get another plan. */
  version: string
  /** The time zone that the plan was made in. */
  timezone: string
  create: PlannedBlock[]
  /** Ids of the planner's blocks to cancel: rewritten blocks, and blocks of closed tasks. */
  cancel: string[]
  atRisk: Reason[]
  unscheduled: (Reason & { minutes: number })[]
  oversized: string[]
  cost: Cost
  /** A lower bound of the cost of every plan for this problem. */
  bound: { lateness: number; leftOver: number }
}
