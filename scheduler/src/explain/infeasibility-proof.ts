// Proofs, as sentences, that no plan could finish a task in time or place all of it: by the bounds of
// the task itself, or by a set of tasks that together need more time than is open to them.
import { longestStretch, NEVER, openAfter } from '../bounds/single-task.ts'
import { capacityProver } from './capacity-proof.ts'
import { type ExplanationContext, inTime, isOverdue } from './explanation-context.ts'
import { formatMinutes, formatTitle } from './format.ts'
import { MANY, minCutProver } from './min-cut-proof.ts'

export type Proofs = {
  /** By task number, for tasks that must be late. */
  late: Map<number, string>
  /** By task number, for tasks that must be left over in part or whole. */
  leftOver: Map<number, string>
  /** Whether the search for a proof by other tasks was skipped, since there were too many tasks. */
  isSkipped: (j: number) => boolean
}

/** Proofs by other tasks are searched only for this many tasks of each list, those of highest weight.
 *  In a long backlog more proofs would not be read, and they would take most of the time. */
const MOST_PROOFS = 200

export function findProofs(
  context: ExplanationContext,
  late: number[],
  leftOver: number[],
): Proofs {
  const { need, due, horizon, until } = context.compiled
  const proofs: Proofs = {
    late: provenTasks(late, (j) => lateByItself(context, j)),
    leftOver: provenTasks(leftOver, (j) => leftOverByItself(context, j)),
    isSkipped: (j) => skipped.has(j),
  }
  const openLate = late.filter((j) => !proofs.late.has(j))
  const openLeftOver = leftOver.filter((j) => !proofs.leftOver.has(j))
  const heavyLate = heaviest(context, openLate)
  const heavyLeftOver = heaviest(context, openLeftOver)
  const skipped = new Set([...openLate, ...openLeftOver])
  for (const j of [...heavyLate, ...heavyLeftOver]) skipped.delete(j)

  const lateByMinCut = minCutProver(context, heavyLate, {
    limit: (j) => Math.min(due[j]!, horizon),
    // A task that is due after the horizon may be done there without being late.
    stays: (j) => inTime(context, j) && due[j]! <= horizon,
    missing: (j) => need[j]!,
  })
  const lateByCapacity = capacityProver(context)
  // The minimum cut names fewer tasks; the capacity proof is faster, so with many late tasks it is
  // tried first.
  const lateByOthers =
    heavyLate.length <= MANY
      ? (j: number) => lateByMinCut(j) ?? lateByCapacity(j)
      : (j: number) => lateByCapacity(j) ?? lateByMinCut(j)
  const leftOverByMinCut = minCutProver(context, heavyLeftOver, {
    limit: (j) => until[j]!,
    stays: () => true,
    missing: (j) => context.rest[j]!,
  })
  for (const [j, proof] of provenTasks(heavyLate, lateByOthers)) proofs.late.set(j, proof)
  for (const [j, proof] of provenTasks(heavyLeftOver, leftOverByMinCut)) {
    proofs.leftOver.set(j, proof)
  }
  return proofs
}

function heaviest({ compiled, rest }: ExplanationContext, tasks: number[]) {
  if (tasks.length <= MOST_PROOFS) return tasks
  const { weight } = compiled
  return tasks
    .toSorted((a, b) => weight[b]! - weight[a]! || rest[b]! - rest[a]! || a - b)
    .slice(0, MOST_PROOFS)
}

function provenTasks(tasks: number[], proofOf: (j: number) => string | null) {
  const proven = new Map<number, string>()
  for (const j of tasks) {
    const proof = proofOf(j)
    if (proof) proven.set(j, proof)
  }
  return proven
}

/** Why the task must be late even without other tasks, or null. */
function lateByItself(context: ExplanationContext, j: number) {
  const { compiled, taskBounds, when } = context
  const { need, due, keptEnd } = compiled
  if (isOverdue(context, j)) return 'Its due date is past.'
  if (keptEnd[j]! > due[j]!) return `Its own block until ${when(keptEnd[j]!)} is fixed.`
  if (!need[j] || taskBounds.finish[j]! <= due[j]!) return null
  return cannotEndBy(context, j, Math.min(due[j]!, compiled.horizon))
}

function leftOverByItself(context: ExplanationContext, j: number) {
  return context.taskBounds.finish[j] === NEVER
    ? cannotEndBy(context, j, context.compiled.until[j]!)
    : null
}

/** Why the task cannot end by the limit even without other tasks. */
function cannotEndBy(context: ExplanationContext, j: number, limit: number): string {
  const { compiled, taskBounds, when, title } = context
  const { horizon, tasks } = compiled
  const need = formatMinutes(compiled.need[j]!)
  const room = taskBounds.room[j]!
  const start = taskBounds.release[j]!
  const by = limit < horizon ? `before ${when(limit)}` : 'in the next 14 days'
  const minutes = openAfter(room, start, limit)
  const have = `your hours have ${minutes ? formatMinutes(minutes) : 'none left'}`

  if (compiled.blocked[j]) return `It waits for ${waitsFor(context, j)}, which is not planned.`
  const last = compiled.predecessors[j]!.find(
    (i) => compiled.need[i]! > 0 && start === taskBounds.finish[i],
  )
  if (last !== undefined && start > compiled.release[j]!) {
    if (start >= NEVER) return `It waits for ${title(last)}, which does not fit.`
    const after = `It waits for ${title(last)}, which cannot be done before ${when(start)}`
    if (start >= limit) return `${after}.`
    return `${after}. It then needs ${need} ${by}, and ${have}.`
  }
  if (compiled.sharesDays[j] && hasRoomOnOtherDays(context, j, limit)) {
    return 'It would be on the same day as another one.'
  }
  if (!openAfter(room, 0)) return `Your hours have no time for it ${by}.`
  const own = tasks[j]!.startAfter
  const ownStart = own !== null && Math.ceil((own - compiled.t0) / 60_000) >= start ? own : null
  if (start >= limit) {
    if (ownStart === null) return `It waits for work that ends ${when(start)}.`
    return `You allow it only from ${context.format.time(ownStart)}.`
  }
  const from = ownStart === null ? '' : `You allow it from ${context.format.time(ownStart)}. `
  if (minutes < compiled.need[j]!) return `${from}It needs ${need} ${by}, and ${have}.`
  if (!compiled.split[j]) {
    const longest = formatMinutes(longestStretch(room, start, limit))
    return `${from}It needs ${need} in one piece; the longest free stretch ${by} is ${longest}.`
  }
  const pauses = formatMinutes(compiled.cooldown[j]!)
  return `${from}It needs ${need} in sessions ${pauses} apart, and there is no room for that ${by}.`
}

/** Whether an occurrence of a habit would fit if it could share a day with another occurrence. */
function hasRoomOnOtherDays(
  { compiled, taskBounds }: ExplanationContext,
  j: number,
  limit: number,
) {
  const { free } = compiled.classes[compiled.classOf[j]!]!
  const length = compiled.split[j]
    ? Math.min(compiled.min[j]!, compiled.need[j]!)
    : compiled.need[j]!
  return longestStretch(free, taskBounds.release[j]!, limit) >= length
}

/** The title of the task that blocks it: a blocked predecessor, or an open task that is not planned. */
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
