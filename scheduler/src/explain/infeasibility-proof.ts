// Why no plan could do better, in words: by what holds for a task alone, or by a cut, that is by
// tasks that need more time together than is open to them.
import { longestStretch, NEVER, openAfter } from '../bounds/single-task.ts'
import { MANY, newClash } from './min-cut-proof.ts'
import { newCrowd } from './capacity-proof.ts'
import { inTime, type Outlook } from './explanation-context.ts'
import { openWords, quote, span } from './format.ts'

export type Proofs = {
  /** By task number, of those that are late and must be. */
  late: Map<number, string>
  /** Of those that are left over, in part or whole, and must be. */
  leftOver: Map<number, string>
}

export function proofs(view: Outlook, late: number[], leftOver: number[]): Proofs {
  const { need, due, horizon } = view.compiled
  const lateClash = newClash(view, late, {
    limit: (j) => Math.min(due[j]!, horizon),
    // What is due behind the horizon may be done there without being late.
    stays: (j) => inTime(view, j) && due[j]! <= horizon,
    missing: (j) => need[j]!,
  })
  const lateCrowd = newCrowd(view)
  // The clash names fewer tasks, the crowd is found faster: with hundreds late, that comes first.
  const lateTogether =
    late.length <= MANY
      ? (j: number) => lateClash(j) ?? lateCrowd(j)
      : (j: number) => lateCrowd(j) ?? lateClash(j)
  const leftClash = newClash(view, leftOver, {
    limit: () => horizon,
    stays: () => true,
    missing: (j) => view.rest[j]!,
  })
  return {
    late: found(late, (j) => lateAlone(view, j) ?? lateTogether(j)),
    leftOver: found(leftOver, (j) => leftAlone(view, j) ?? leftClash(j)),
  }
}

function found(tasks: number[], proofOf: (j: number) => string | null) {
  const proven = new Map<number, string>()
  for (const j of tasks) {
    const proof = proofOf(j)
    if (proof) proven.set(j, proof)
  }
  return proven
}

function lateAlone(view: Outlook, j: number) {
  const { compiled, taskBounds, when } = view
  const { need, due, keptEnd, tasks, problem } = compiled
  if (tasks[j]!.dueAt! < problem.now) return `Its due date, ${view.dueWords(j)}, is past.`
  if (keptEnd[j]! > due[j]!) {
    return `A block of it that stays where it is ends ${when(keptEnd[j]!)}, after its due date.`
  }
  if (!need[j] || taskBounds.finish[j]! <= due[j]!) return null
  return cannotEndBy(view, j, Math.min(due[j]!, compiled.horizon))
}

function leftAlone(view: Outlook, j: number) {
  return view.taskBounds.finish[j] === NEVER ? cannotEndBy(view, j, view.compiled.horizon) : null
}

/** It cannot, even with the whole calendar to itself. */
function cannotEndBy(view: Outlook, j: number, limit: number): string {
  const { compiled, taskBounds, when, title } = view
  const { horizon, tasks } = compiled
  const need = compiled.need[j]!
  const room = taskBounds.room[j]!
  const start = taskBounds.release[j]!
  const by = limit < horizon ? `before ${when(limit)}` : 'in the next 14 days'

  if (compiled.blocked[j]) return `It waits for ${waitsFor(view, j)}, which is not planned.`
  const last = compiled.predecessors[j]!.find(
    (i) => compiled.need[i]! > 0 && start === taskBounds.finish[i],
  )
  if (last !== undefined && start > compiled.release[j]!) {
    if (start >= NEVER) return `It waits for ${title(last)}, which has no room.`
    const after = `It waits for ${title(last)}, which cannot be done before ${when(start)}`
    if (start >= limit) return `${after}.`
    return `${after}; it needs ${span(need)} and ${openWords(openAfter(room, start, limit))} ${by}.`
  }
  if (!openAfter(room, 0)) return 'Its windows are closed for the next 14 days.'
  const own = tasks[j]!.startAfter
  const told = own !== null && Math.ceil((own - compiled.t0) / 60_000) >= start ? own : null
  const from = told === null ? '' : ` after ${view.words.time(told)} (start after)`
  if (start >= limit) {
    if (told !== null) return `It may start only${from}.`
    return `It waits for work that ends ${when(start)}.`
  }
  const minutes = openAfter(room, start, limit)
  if (minutes < need)
    return `It needs ${span(need)}${from} but its windows have ${span(minutes)} ${by}.`
  if (!compiled.split[j]) {
    const longest = span(longestStretch(room, start, limit))
    return `One piece of ${span(need)} is needed and the longest open stretch ${by} is ${longest}.`
  }
  const pauses = span(compiled.cooldown[j]!)
  return `It needs ${span(need)} in pieces ${pauses} apart, for which there is no room ${by}.`
}

/** The open task outside the planner's care that it waits for, itself or through others. */
function waitsFor({ compiled, title }: Outlook, j: number): string {
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
  return first ? quote(first.title) : 'another task'
}
