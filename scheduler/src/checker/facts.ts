// The facts that the checker's rules compare, computed without the planner's code.
import type { Block, Plan, PlannedBlock, Problem, Task } from '../model.ts'
import { type Clock, clockOf } from './clock.ts'

type Span = { startAt: number; endAt: number }

export type TaskFacts = {
  task: Task
  open: boolean
  considered: boolean
  kept: Block[]
  /** In order of start. */
  planned: PlannedBlock[]
  /** The minutes of the estimate that the kept blocks do not cover; 0 without an estimate. */
  need: number
  placed: number
  /** Open tasks that it waits for. */
  waitsFor: TaskFacts[]
}

export type Facts = {
  problem: Problem
  plan: Plan
  clock: Clock
  horizonEnd: number
  tasks: Map<string, TaskFacts>
  kept: Block[]
  /** Ids of the blocks that must be cancelled. */
  goes: string[]
}

export const factsOf = (problem: Problem, plan: Plan): Facts => {
  const clock = clockOf(problem.timezone, problem.now)
  const tasks = new Map<string, TaskFacts>()
  for (const task of problem.tasks) {
    const open =
      task.status === 'backlog' || task.status === 'todo' || task.status === 'in_progress'
    const considered = open && task.autoSchedule && task.estimateMinutes !== null
    const nothing = { kept: [], planned: [], need: 0, placed: 0, waitsFor: [] }
    tasks.set(task.id, { task, open, considered, ...nothing })
  }

  const kept: Block[] = []
  const goes: string[] = []
  for (const block of problem.blocks) {
    const owner = block.taskId === null ? undefined : tasks.get(block.taskId)
    if (makesWay(block, owner, problem.now)) goes.push(block.id)
    else {
      kept.push(block)
      owner?.kept.push(block)
    }
  }
  for (const block of plan.create) tasks.get(block.taskId)?.planned.push(block)
  for (const facts of tasks.values()) {
    facts.planned.sort((a, b) => a.startAt - b.startAt)
    facts.placed = facts.planned.reduce((sum, block) => sum + minutes(block), 0)
    const covered = Math.round(lengthCovered(facts.kept) / 60_000)
    facts.need = Math.max(0, (facts.task.estimateMinutes ?? 0) - covered)
  }
  link(problem, tasks)
  const horizonEnd = clock.fourteenDaysOn(problem.now)
  return { problem, plan, clock, horizonEnd, tasks, kept, goes }
}

/** Whether the run must cancel the block: rules 4 and 5 of the contract. */
const makesWay = (block: Block, owner: TaskFacts | undefined, now: number) => {
  if (!owner || block.locked || block.startAt <= now) return false
  if (block.source !== 'auto' || block.type !== 'task' || block.status !== 'scheduled') return false
  return !owner.open || (owner.task.autoSchedule && !owner.task.locked)
}

/** The end of the time that a kept block takes: earlier than its end if it was completed early. */
export const untilBusy = ({ endAt, busyUntil }: Block): number => {
  const completedEarly = busyUntil !== undefined && busyUntil !== null && busyUntil < endAt
  return completedEarly ? busyUntil : endAt
}

export const minutes = (span: Span): number => (span.endAt - span.startAt) / 60_000

const lengthCovered = (blocks: Block[]) => {
  let total = 0
  let reached = Number.NEGATIVE_INFINITY
  for (const block of blocks.toSorted((a, b) => a.startAt - b.startAt)) {
    if (block.endAt <= reached) continue
    total += block.endAt - Math.max(reached, block.startAt)
    reached = block.endAt
  }
  return total
}

/** Fills `waitsFor`, in order of ids. Ignores each pair that would close a cycle with earlier ones. */
const link = (problem: Problem, tasks: Map<string, TaskFacts>) => {
  const key = (pair: { taskId: string; dependsOnTaskId: string }) =>
    `${pair.taskId} ${pair.dependsOnTaskId}`
  const pairs = new Map(problem.dependencies.map((pair) => [key(pair), pair]))
  for (const name of [...pairs.keys()].toSorted()) {
    const pair = pairs.get(name)!
    const task = tasks.get(pair.taskId)
    const other = tasks.get(pair.dependsOnTaskId)
    if (task?.open && other?.open && !waits(other, task)) task.waitsFor.push(other)
  }
}

const waits = (from: TaskFacts, to: TaskFacts) => {
  const queue = [from]
  const seen = new Set(queue)
  while (queue.length > 0) {
    const next = queue.pop()!
    if (next === to) return true
    for (const other of next.waitsFor) {
      if (!seen.has(other)) queue.push(other)
      seen.add(other)
    }
  }
  return false
}
