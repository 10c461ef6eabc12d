// Proofs, as sentences, that no plan could have a task in time or place all of it: by the bounds of
// the task itself, or by a set of tasks that together need more time than is open to them.
import { longestStretch, NEVER, openAfter } from '../bounds/single-task.ts'
import { capacityProver } from './capacity-proof.ts'
import { type ExplanationContext, inTime } from './explanation-context.ts'
import { formatMinutes, formatOpenTime, formatTitle } from './format.ts'
import { MANY, minCutProver } from './min-cut-proof.ts'

export type Proofs = {
  /** By task number, for tasks that must be late. */
  late: Map<number, string>
  /** By task number, for tasks that must be left over in part or whole. */
  leftOver: Map<number, string>
}

export function findProofs(
  context: ExplanationContext,
  late: number[],
  leftOver: number[],
): Proofs {
  const { need, due, horizon } = context.compiled
  const lateByMinCut = minCutProver(context, late, {
    limit: (j) => Math.min(due[j]!, horizon),
    // A task that is due behind the horizon may be done there without being late.
    stays: (j) => inTime(context, j) && due[j]! <= horizon,
    missing: (j) => need[j]!,
  })
  const lateByCapacity = capacityProver(context)
  // The minimum cut names fewer tasks; the capacity proof is faster, so with many late tasks it is
  // tried first.
  const lateByOthers =
    late.length <= MANY
      ? (j: number) => lateByMinCut(j) ?? lateByCapacity(j)
      : (j: number) => lateByCapacity(j) ?? lateByMinCut(j)
  const leftOverByMinCut = minCutProver(context, leftOver, {
    limit: () => horizon,
    stays: () => true,
    missing: (j) => context.rest[j]!,
  })
  return {
    late: provenTasks(late, (j) => lateByItself(context, j) ?? lateByOthers(j)),
    leftOver: provenTasks(leftOver, (j) => leftOverByItself(context, j) ?? leftOverByMinCut(j)),
  }
}

function provenTasks(tasks: number[], proofOf: (j: number) => string | null) {
  const proven = new Map<number, string>()
  for (const j of tasks) {
    const proof = proofOf(j)
    if (proof) proven.set(j, proof)
  }
  return proven
}

function lateByItself(context: ExplanationContext, j: number) {
  const { compiled, taskBounds, when } = context
  const { need, due, keptEnd, tasks, problem } = compiled
  if (tasks[j]!.dueAt! < problem.now) return `Its due date, ${context.dueText(j)}, is past.`
  if (keptEnd[j]! > due[j]!) {
    return `A block of it that stays where it is ends ${when(keptEnd[j]!)}, after its due date.`
  }
  if (!need[j] || taskBounds.finish[j]! <= due[j]!) return null
  return cannotEndBy(context, j, Math.min(due[j]!, compiled.horizon))
}

function leftOverByItself(context: ExplanationContext, j: number) {
  return context.taskBounds.finish[j] === NEVER
    ? cannotEndBy(context, j, context.compiled.horizon)
    : null
}

/** Why the task cannot end by the limit even without other tasks. */
function cannotEndBy(context: ExplanationContext, j: number, limit: number): string {
  const { compiled, taskBounds, when, title } = context
  const { horizon, tasks } = compiled
  const need = compiled.need[j]!
  const room = taskBounds.room[j]!
  const start = taskBounds.release[j]!
  const by = limit < horizon ? `before ${when(limit)}` : 'in the next 14 days'

  if (compiled.blocked[j]) return `It waits for ${waitsFor(context, j)}, which is not planned.`
  const last = compiled.predecessors[j]!.find(
    (i) => compiled.need[i]! > 0 && start === taskBounds.finish[i],
  )
  if (last !== undefined && start > compiled.release[j]!) {
    if (start >= NEVER) return `It waits for ${title(last)}, which has no room.`
    const after = `It waits for ${title(last)}, which cannot be done before ${when(start)}`
    if (start >= limit) return `${after}.`
    return `${after}; it needs ${formatMinutes(need)} and ${formatOpenTime(openAfter(room, start, limit))} ${by}.`
  }
  if (!openAfter(room, 0)) return 'Its windows are closed for the next 14 days.'
  const own = tasks[j]!.startAfter
  const ownStart = own !== null && Math.ceil((own - compiled.t0) / 60_000) >= start ? own : null
  const from = ownStart === null ? '' : ` after ${context.format.time(ownStart)} (start after)`
  if (start >= limit) {
    if (ownStart !== null) return `It may start only${from}.`
    return `It waits for work that ends ${when(start)}.`
  }
  const minutes = openAfter(room, start, limit)
  if (minutes < need)
    return `It needs ${formatMinutes(need)}${from} but its windows have ${formatMinutes(minutes)} ${by}.`
  if (!compiled.split[j]) {
    const longest = formatMinutes(longestStretch(room, start, limit))
    return `One piece of ${formatMinutes(need)} is needed and the longest open stretch ${by} is ${longest}.`
  }
  const pauses = formatMinutes(compiled.cooldown[j]!)
  return `It needs ${formatMinutes(need)} in pieces ${pauses} apart, for which there is no room ${by}.`
}

/** The open task that is not planned and that it waits for, directly or through others. */
function waitsFor({ compiled, title }: ExplanationContext, j: number): string {
  const { problem, tasks } = compiled
  const before = compiled.predecessors[j]!.find((i) => compiled.blocked[i]! > 0)
  if (before !== undefined) return title(before)
  const considered = new Set(tasks.map((task) => task.id))
  const ids = problem.dependencies
    .filter((pair) => pair.taskId === tasks[j]!.id && !considered.has(pair.dependsOnTaskId))
    .map((pair) => pair.dependsOnTaskId)
  const open = problem.tasks.filter(
    ({ id, status }) =>
      ids.includes(id) && status !== 'completed' && status !== 'cancelled' && status !== 'archived',
  )
  const first = open.toSorted((a, b) => (a.id < b.id ? -1 : 1))[0]
  return first ? formatTitle(first.title) : 'another task'
}
