// The independent checker of a plan: every rule of the contract by name. It shares no code with the
// planner, so that a mistake there is not repeated here.
import type { Plan, PlannedBlock, Problem, Window } from '../model.ts'
import { type Facts, factsOf, minutes, type TaskFacts, untilBusy } from './facts.ts'
import { recurringRules } from './recurring-rules.ts'
import { preferenceRules } from './preference-rules.ts'

export type Violation = { rule: string; detail: string }

const MINUTE = 60_000
const OFFICE_HOURS: Window[] = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]

/** The violations of the plan; empty if it is correct. */
export const check = (problem: Problem, plan: Plan): Violation[] => {
  const facts = factsOf(problem, plan)
  return Object.entries(rules).flatMap(([rule, broken]) =>
    broken(facts).map((detail) => ({ rule, detail })),
  )
}

const rules: Record<string, (facts: Facts) => string[]> = {
  'plans in the zone of the user, or in Sydney': ({ plan, clock }) =>
    plan.timezone === clock.zone ? [] : [`${plan.timezone}, not ${clock.zone}`],

  'plans considered tasks only': (facts) =>
    blocks(facts, (block) => facts.tasks.get(block.taskId)?.considered === true),

  'blocks start and end on whole minutes, and end after their start': (facts) =>
    blocks(
      facts,
      ({ startAt, endAt }) => startAt % MINUTE === 0 && endAt % MINUTE === 0 && startAt < endAt,
    ),

  'no block starts before the next mark of five minutes': (facts) => {
    const mark = Math.ceil(facts.problem.now / (5 * MINUTE)) * 5 * MINUTE
    return blocks(facts, (block) => block.startAt >= mark)
  },

  'blocks end within fourteen days': (facts) =>
    blocks(facts, (block) => block.endAt <= facts.horizonEnd),

  'no work before startAfter': (facts) =>
    blocks(facts, (block) => block.startAt >= (taskOf(facts, block)?.startAfter ?? -Infinity)),

  ...recurringRules,

  'blocks lie inside the windows': (facts) => {
    const known = new Map<string, [number, number][]>()
    return blocks(facts, (block) => {
      const windows = taskOf(facts, block)?.windows ?? OFFICE_HOURS
      const key = JSON.stringify(windows)
      if (!known.has(key)) known.set(key, facts.clock.openings(windows))
      return known.get(key)!.some(([start, end]) => start <= block.startAt && block.endAt <= end)
    })
  },

  'blocks keep clear of busy time': (facts) => {
    const busy = facts.kept
      .map((kept) => ({ startAt: kept.startAt, endAt: untilBusy(kept) }))
      .filter(({ startAt, endAt }) => endAt > facts.problem.now && endAt > startAt)
    return blocks(
      facts,
      (block) => !busy.some((kept) => block.startAt < kept.endAt && kept.startAt < block.endAt),
    )
  },

  'blocks do not overlap': ({ plan }) => {
    const sorted = plan.create.toSorted((a, b) => a.startAt - b.startAt)
    return sorted.flatMap((block, i) =>
      i > 0 && sorted[i - 1]!.endAt > block.startAt ? [name(block)] : [],
    )
  },

  'a task gets no more than it needs': (facts) =>
    planned(facts, ({ placed, need }) => placed <= need),

  'sessions are between min and max': (facts) =>
    planned(facts, (task) => !task.task.autoSplit || sessionsAreLegal(task)),

  'without autoSplit one block of the whole need': (facts) =>
    planned(
      facts,
      ({ task, planned, placed, need }) =>
        task.autoSplit || (planned.length === 1 && placed === need),
    ),

  'cooldown between the blocks of a task': (facts) =>
    planned(facts, ({ task, planned, kept }) => {
      const rest = task.cooldownMinutes * MINUTE
      return planned.every(
        (block, i) =>
          (i === 0 || block.startAt - planned[i - 1]!.endAt >= rest) &&
          kept.every(
            (other) =>
              block.startAt - untilBusy(other) >= rest ||
              other.startAt - block.endAt >= rest ||
              untilBusy(other) <= other.startAt,
          ),
      )
    }),

  'a task starts after the last block of what it waits for': (facts) =>
    planned(facts, ({ planned, waitsFor }) =>
      waitsFor.every((other) => lastEnd(other) <= planned[0]!.startAt),
    ),

  'a task is planned only if what it waits for is planned in full': (facts) =>
    planned(facts, ({ waitsFor }) => waitsFor.every((other) => other.placed >= other.need)),

  "cancels the planner's own future blocks and no others": ({ plan, goes }) =>
    differences(plan.cancel, goes),

  'at risk: overdue, ending after the due date, or left over and due within the horizon': (facts) =>
    differences(
      facts.plan.atRisk.map((reason) => reason.taskId),
      ids(facts, (task) => isAtRisk(facts, task)),
    ),

  'unscheduled: any left-over minutes': (facts) =>
    differences(
      facts.plan.unscheduled.map(({ taskId, minutes }) => `${taskId} ${minutes}`),
      ids(facts, ({ need, placed }) => need > placed).map((id) => {
        const { need, placed } = facts.tasks.get(id)!
        return `${id} ${need - placed}`
      }),
    ),

  'oversized: an estimate over eight hours': (facts) =>
    differences(
      facts.plan.oversized,
      ids(facts, ({ task }) => task.estimateMinutes! > 480),
    ),

  'every block is explained': (facts) =>
    blocks(facts, (block) => block.explanation.trim().length > 0),

  ...preferenceRules,
}

/** One session below min is allowed if the need is below min or cannot be cut into legal sessions. */
const sessionsAreLegal = ({ task, planned, need }: TaskFacts) => {
  const max = task.maxSessionMinutes
  const min = Math.min(task.minSessionMinutes, max)
  const lengths = planned.map(minutes)
  if (lengths.some((length) => length > max)) return false
  const short = lengths.filter((length) => length < min)
  if (short.length === 0) return true
  if (need < min) return lengths.length === 1 && lengths[0] === need
  // `count` sessions can hold the need if it is between count * min and count * max.
  const cutExists = Math.ceil(need / max) <= Math.floor(need / min)
  return !cutExists && short.length === 1
}

const isAtRisk = ({ problem, horizonEnd }: Facts, task: TaskFacts) => {
  const due = task.task.dueAt
  if (due === null) return false
  return due < problem.now || lastEnd(task) > due || (task.need > task.placed && due <= horizonEnd)
}

const lastEnd = ({ kept, planned }: TaskFacts) => {
  let end = -Infinity
  for (const block of kept) end = Math.max(end, untilBusy(block))
  for (const block of planned) end = Math.max(end, block.endAt)
  return end
}

const taskOf = (facts: Facts, block: PlannedBlock) => facts.tasks.get(block.taskId)?.task

const blocks = ({ plan }: Facts, good: (block: PlannedBlock) => boolean) =>
  plan.create.filter((block) => !good(block)).map(name)

const planned = ({ tasks }: Facts, good: (task: TaskFacts) => boolean) =>
  [...tasks.values()]
    .filter((task) => task.planned.length > 0 && !good(task))
    .map(({ task, planned, need }) => `${task.id}: ${planned.map(span).join(', ')}; need ${need}`)

const ids = ({ tasks }: Facts, wanted: (task: TaskFacts) => boolean) =>
  [...tasks.values()].filter((task) => task.considered && wanted(task)).map(({ task }) => task.id)

const differences = (given: string[], right: string[]) => {
  const wanted = new Set(right)
  // Each id may occur only once, so a second occurrence is surplus.
  const surplus = given.filter((id) => !wanted.delete(id))
  return [...surplus.map((id) => `not ${id}`), ...[...wanted].map((id) => `lacks ${id}`)]
}

const name = (block: PlannedBlock) => `${block.taskId}: ${span(block)}`

const span = ({ startAt, endAt }: PlannedBlock) =>
  `${new Date(startAt).toISOString()} to ${new Date(endAt).toISOString()}`
