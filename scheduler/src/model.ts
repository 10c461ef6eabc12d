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
}

/** `taskId` may start only when the work of `dependsOnTaskId` is done. */
export type Dependency = { taskId: string; dependsOnTaskId: string }

export type Problem = {
  now: number
  /** As stored: it may not be a valid zone. */
  timezone: string
  /** Every open task, and every other task that has one of the blocks. In any order. */
  tasks: Task[]
  /** Every block that is not cancelled and has not ended, and every other one of the open tasks. */
  blocks: Block[]
  dependencies: Dependency[]
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
