// What is computed once per problem and shared by construction, search and repair.
import { singleTaskBounds, type SingleTaskBounds } from '../bounds/single-task.ts'
import type { Compiled } from '../problem/compile.ts'
import { latenessOf } from '../objective/cost.ts'
import { byDue } from './orders.ts'
import { Placer } from '../placement/placer.ts'
import { type Urgency, urgencyOf } from './urgency.ts'

/** What every plan of a problem is made from. */
export type Ground = {
  compiled: Compiled
  placer: Placer
  urgency: Urgency
  /** Every task that needs time behind what it waits for, the earlier due in front. */
  order: readonly number[]
  /** Per task: how late it is when it has all the time for itself. */
  unavoidable: Float64Array
  taskBounds: SingleTaskBounds
}

export const groundOf = (compiled: Compiled): Ground => {
  const urgency = urgencyOf(compiled)
  const placer = new Placer(compiled)
  const order = byDue(compiled, urgency).map((turn) => turn.task)
  const unavoidable = unavoidableLateness(compiled, placer)
  return { compiled, placer, urgency, order, unavoidable, taskBounds: singleTaskBounds(compiled) }
}

const unavoidableLateness = (compiled: Compiled, placer: Placer): Float64Array => {
  const { need, release, predecessors, topological, blocked } = compiled
  const earliest = Int32Array.from(release)
  const lost = blocked.slice()
  const unavoidable = new Float64Array(need.length)
  placer.clear()
  for (const j of topological) {
    for (const i of predecessors[j]!) {
      earliest[j] = Math.max(earliest[j]!, earliest[i]!)
      if (lost[i]) lost[j] = 1
    }
    if (need[j] === 0) {
      // What waits for it does not wait for what it waited for.
      earliest[j] = 0
      lost[j] = 0
      continue
    }
    if (lost[j]) unavoidable[j] = latenessOf(compiled, j, 0, need[j]!)
    else {
      placer.fit(j, need[j]!, earliest[j]!)
      unavoidable[j] = latenessOf(compiled, j, placer.end, placer.rest)
      earliest[j] = placer.end
      if (placer.rest > 0) lost[j] = 1
    }
  }
  return unavoidable
}
