// The graph of dependencies between tasks, without cycles.
import type { Dependency, Problem, Task } from '../model.ts'
import { isClosed } from './classify.ts'
import { NO_END } from './weights.ts'

const NO_TASKS: Int32Array = new Int32Array(0)

type Kept = {
  /** End of the last kept block. */ end: number
  /** Whether the kept blocks cover its whole estimate. */ covers: boolean
}

export type DependencyGraph = {
  predecessors: Int32Array[]
  successors: Int32Array[]
  topological: Int32Array
  /** Per task: the end of the last kept block of its predecessors. */
  after: number[]
  /** Per task: whether it waits for an open task that is not planned here and whose kept blocks do not
   *  cover its work. */
  waitsForUnplanned: boolean[]
}

/** `tasks` are the tasks to plan; `keptWork` describes the kept blocks of any open task. */
export const dependencyGraph = (
  problem: Problem,
  all: Map<string, Task>,
  tasks: Task[],
  keptWork: (task: Task) => Kept,
): DependencyGraph => {
  const number = new Map(tasks.map((task, j) => [task.id, j]))
  const graph: DependencyGraph = {
    predecessors: [],
    successors: [],
    topological: new Int32Array(0),
    after: tasks.map(() => NO_END),
    waitsForUnplanned: tasks.map(() => false),
  }
  const before: number[][] = tasks.map(() => [])
  const successors: number[][] = tasks.map(() => [])
  for (const { taskId, dependsOnTaskId } of withoutCycles(openPairs(problem, all))) {
    const j = number.get(taskId)
    if (j === undefined) continue
    const { end, covers } = keptWork(all.get(dependsOnTaskId)!)
    graph.after[j] = Math.max(graph.after[j]!, end)
    const i = number.get(dependsOnTaskId)
    if (i === undefined) graph.waitsForUnplanned[j] ||= !covers
    else {
      before[j]!.push(i)
      successors[i]!.push(j)
    }
  }
  const sorted = (list: number[]) =>
    list.length === 0 ? NO_TASKS : Int32Array.from(list).toSorted()
  graph.predecessors = before.map(sorted)
  graph.successors = successors.map(sorted)
  graph.topological = topologicalOrder(graph.predecessors, graph.successors)
  return graph
}

/** The dependencies between open tasks, sorted and without duplicates. A closed task delays no other. */
const openPairs = (problem: Problem, all: Map<string, Task>): Dependency[] => {
  const isOpen = (id: string) => {
    const task = all.get(id)
    return task !== undefined && !isClosed(task)
  }
  return problem.dependencies
    .filter((pair) => isOpen(pair.taskId) && isOpen(pair.dependsOnTaskId))
    .toSorted(
      (a, b) => compare(a.taskId, b.taskId) || compare(a.dependsOnTaskId, b.dependsOnTaskId),
    )
    .filter(
      (pair, i, sorted) =>
        pair.taskId !== sorted[i - 1]?.taskId ||
        pair.dependsOnTaskId !== sorted[i - 1]?.dependsOnTaskId,
    )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Takes the pairs in order and leaves out each that would close a cycle with those before it. */
const withoutCycles = (pairs: Dependency[]): Dependency[] => {
  if (isAcyclic(pairs)) return pairs
  const waitsFor = new Map<string, string[]>()
  const reaches = (from: string, to: string) => {
    const seen = new Set([from])
    // The loop also visits the ids added during it.
    for (const id of seen) {
      if (id === to) return true
      for (const next of waitsFor.get(id) ?? []) seen.add(next)
    }
    return false
  }
  return pairs.filter(({ taskId, dependsOnTaskId }) => {
    if (reaches(dependsOnTaskId, taskId)) return false
    waitsFor.set(taskId, [...(waitsFor.get(taskId) ?? []), dependsOnTaskId])
    return true
  })
}

const isAcyclic = (pairs: Dependency[]): boolean => {
  const ids = [...new Set(pairs.flatMap((pair) => [pair.taskId, pair.dependsOnTaskId]))]
  const number = new Map(ids.map((id, i) => [id, i]))
  const before: number[][] = ids.map(() => [])
  const successors: number[][] = ids.map(() => [])
  for (const { taskId, dependsOnTaskId } of pairs) {
    before[number.get(taskId)!]!.push(number.get(dependsOnTaskId)!)
    successors[number.get(dependsOnTaskId)!]!.push(number.get(taskId)!)
  }
  return topologicalOrder(before, successors).length === ids.length
}

/** A topological order. It leaves out the members of cycles and the tasks that wait for them. */
const topologicalOrder = (
  before: ArrayLike<number>[],
  successors: Iterable<number>[],
): Int32Array => {
  const waiting = before.map((list) => list.length)
  const order = waiting.flatMap((count, j) => (count === 0 ? [j] : []))
  for (const j of order) for (const k of successors[j]!) if (--waiting[k]! === 0) order.push(k)
  return Int32Array.from(order)
}
