// The problem and the plan, as plain data. Times are milliseconds since 1970 in UTC.

export type Priority = 'none' | 'low' | 'medium' | 'high' | 'urgent'

/** Weekly time in the user's zone; day 0 is Sunday, times are `HH:MM`. */
export type Window = { day: number[]; start: string; end: string }

export type Task = {
  id: string
  title: string
  status: 'backlog' | 'todo' | 'in_progress' | 'completed' | 'cancelled' | 'archived'
  priority: Priority
  /** Its own setting and its project's, both on. */
  autoSchedule: boolean
  autoSplit: boolean
  locked: boolean
  dueAt: number | null
  startAfter: number | null
  estimateMinutes: number | null
  minSessionMinutes: number
  maxSessionMinutes: number
  cooldownMinutes: number
  /** The windows of its preference; null for the default ones. */
  windows: Window[] | null
  /** Given for an occurrence of recurring work. */
  recurring?: Recurring | null
}

export type Recurring = {
  /** Given for an occurrence of a habit, which lapses: no session ends after this. */
  notAfter: number | null
  /** Occurrences of one series are on different local days. Null where several are wanted on a day. */
  series: string | null
  /** When another occurrence of the series was done last. */
  doneAt: number | null
  /** `HH:MM`: planned near this time of day if no work becomes late or is left over by it. */
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
  /** Given for a block that was completed early: busy only until then. Its full length counts toward
   *  the estimate. */
  busyUntil?: number | null
  /** Of the planner's blocks: the text that was written with it, and when. Without them a block that
   *  stays is explained as if it were new. */
  explanation?: string | null
  plannedAt?: number
}

/** What the person wants of a day; each part is off when absent. Times are `HH:MM` in their zone. */
export type Preferences = {
  /** So many minutes stay free within the span, as far as the kept blocks leave them. */
  lunch?: { from: string; to: string; minutes: number } | null
  /** A pause after a session of at least `afterMinutes`. */
  breaks?: { afterMinutes: number; minutes: number } | null
  /** The most task work on a local day. Kept blocks of tasks count. */
  dailyLimitMinutes?: number | null
  /** The share of each day's open time that only work that would be late or left over may use. */
  keepFreePercent?: number | null
  /** Between sessions of different tasks. */
  bufferMinutes?: number | null
  /** Where long work is placed if that does not make it late: tasks of two hours or more, and
   *  sessions of an hour or more. */
  focusHours?: { from: string; to: string } | null
  /** Long work begins before this time, unless it would be late or left over. */
  deepWorkUntil?: string | null
}

/** `taskId` may start only when the work of `dependsOnTaskId` is done. */
export type Dependency = { taskId: string; dependsOnTaskId: string }

export type Problem = {
  now: number
  /** As stored: it may not be a valid zone. */
  timezone: string
  /** Every open task, and every other task that has one of the blocks. In any order. */
  tasks: Task[]
  /** Every block that is not cancelled and has not ended, and every other one of the open tasks. With
   *  a lunch break or a daily limit also every other one of today. */
  blocks: Block[]
  dependencies: Dependency[]
  /** Ids of the tasks made, edited or closed since the last applied run; undefined if unknown. */
  changed?: readonly string[]
  /** Where the planner's blocks were that have been cancelled, deleted or moved since that run. */
  freed?: readonly { startAt: number; endAt: number }[] | null
  /** The bound of the last applied run, if only time has passed since: it is not computed again. */
  previousBound?: { lateness: number; leftOver: number }
  preferences?: Preferences | null
  /** Plan without regard to where the rewritten blocks are. */
  fromScratch?: boolean
}

export type PlannedBlock = {
  taskId: string
  startAt: number
  endAt: number
  /** There is no other place left for it before its due date. */
  defended: boolean
  /** Why it is there, in a sentence or two, in the user's zone. */
  explanation: string
}

/**
 * Why work is late or left over. `proof` says why no plan could have all of the tasks it names in
 * time, or fit them all; `text` holds it, too.
 */
export type Reason = { taskId: string; text: string; proof: string | null }

/** Compared in this order; less is better. */
export type Cost = {
  /** Weighted by priority: a day for each late task, and every minute. */
  lateness: number
  /** Weighted minutes that are not placed. */
  leftOver: number
  /** Tasks of higher weight earlier, and few sessions. */
  earliness: number
}

export type Plan = {
  /** Changes whenever the same problem may get another plan. */
  version: string
  /** The zone that was planned in. */
  timezone: string
  create: PlannedBlock[]
  /** Blocks of the planner to cancel: rewritten ones, and those of closed tasks. */
  cancel: string[]
  atRisk: Reason[]
  unscheduled: (Reason & { minutes: number })[]
  oversized: string[]
  cost: Cost
  /** The lower bound of every plan. */
  bound: { lateness: number; leftOver: number }
}
