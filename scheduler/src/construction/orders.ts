// Simple dispatching rules: sequences by priority and by due date.
import type { Turn } from '../placement/decoder.ts'
import type { Compiled } from '../problem/compile.ts'
import type { Urgency } from './urgency.ts'

/** The maximum number of turns of a task in an initial sequence. */
export const MAX_TURNS_PER_TASK = 6

export const byPriority = (compiled: Compiled, { due }: Urgency): Turn[] =>
  wholeTasks(
    compiled,
    (a, b) => compiled.weight[b]! - compiled.weight[a]! || due[a]! - due[b]! || a - b,
  )

export const byDue = (compiled: Compiled, { due }: Urgency): Turn[] =>
  wholeTasks(
    compiled,
    (a, b) => due[a]! - due[b]! || compiled.weight[b]! - compiled.weight[a]! || a - b,
  )

const wholeTasks = (compiled: Compiled, compare: (a: number, b: number) => number): Turn[] => {
  const tasks = compiled.tasks.map((_, j) => j).filter((j) => compiled.need[j]! > 0)
  return afterPredecessors(compiled, tasks.toSorted(compare)).map((task) => ({
    task,
    quota: compiled.need[task]!,
  }))
}

/** Moves each task after its predecessors and keeps the order otherwise. */
export const afterPredecessors = (compiled: Compiled, tasks: number[]): number[] => {
  const { predecessors, need } = compiled
  const seen = new Uint8Array(need.length)
  const order: number[] = []
  // An explicit stack: a chain of dependencies may be longer than the call stack is deep.
  const stack: number[] = []
  for (const task of tasks) {
    stack.push(task)
    while (stack.length > 0) {
      const j = stack.at(-1)!
      const missing = predecessors[j]!.find((i) => !seen[i] && need[i]! > 0)
      if (missing !== undefined && !seen[j]) stack.push(missing)
      else {
        stack.pop()
        if (!seen[j]) order.push(j)
        seen[j] = 1
      }
    }
  }
  return order
}
