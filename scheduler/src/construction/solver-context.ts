// What is computed once per problem and shared by construction, search and repair.
import { singleTaskBounds, type SingleTaskBounds } from '../bounds/single-task.ts'
import { latenessOf } from '../objective/cost.ts'
import { Placer } from '../placement/placer.ts'
import type { Compiled } from '../problem/compile.ts'
import { byDue } from './orders.ts'
import { type Urgency, urgencyOf } from './urgency.ts'

export type SolverContext = {
  compiled: Compiled
  placer: Placer
  urgency: Urgency
  /** All tasks that need time, each after its predecessors, by due date. */
  order: readonly number[]
  /** Per task: its lateness if no other task needed time. */
  unavoidable: Float64Array
  taskBounds: SingleTaskBounds
}

export const createSolverContext = (compiled: Compiled): SolverContext => {
  const urgency = urgencyOf(compiled)
  const placer = new Placer(compiled)
  const order = byDue(compiled, urgency).map((turn) => turn.task)
  const unavoidable = unavoidableLateness(compiled, placer)
  return { compiled, placer, urgency, order, unavoidable, taskBounds: singleTaskBounds(compiled) }
}

const unavoidableLateness = (compiled: Compiled, placer: Placer): Float64Array => {
  const { need, release, predecessors, topological, blocked } = compiled
  const earliest = Int32Array.from(release)
  const unplaceable = blocked.slice()
  const unavoidable = new Float64Array(need.length)
  placer.clear()
  for (const j of topological) {
    for (const i of predecessors[j]!) {
      earliest[j] = Math.max(earliest[j]!, earliest[i]!)
      if (unplaceable[i]) unplaceable[j] = 1
    }
    if (need[j] === 0) {
      // Its successors wait for its kept blocks only, which their release includes.
      earliest[j] = 0
      unplaceable[j] = 0
      continue
    }
    if (unplaceable[j]) unavoidable[j] = latenessOf(compiled, j, 0, need[j]!)
    else {
      placer.fit(j, need[j]!, earliest[j]!)
      unavoidable[j] = latenessOf(compiled, j, placer.end, placer.rest)
      earliest[j] = placer.end
      if (placer.rest > 0) unplaceable[j] = 1
    }
  }
  return unavoidable
}
