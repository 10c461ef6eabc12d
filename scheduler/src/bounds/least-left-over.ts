// A lower bound of the weighted left-over work: a maximum flow of work into open time, without the
// session limits.
import type { Compiled } from '../problem/compile.ts'
import { addArc, newNetwork, pushFlow } from './max-flow.ts'
import type { SingleTaskBounds } from './single-task.ts'
import { divideIntoCells } from './time-cells.ts'

/**
 * The amounts of work that fit together form a polymatroid, so the greedy algorithm is optimal: it
 * takes tasks by descending weight, and as much of each as fits in addition to the earlier ones.
 */
export function leastLeftOver(compiled: Compiled, { release, leftOver }: SingleTaskBounds) {
  const { need, weight, classOf } = compiled
  // Tasks with the same window set and first cell are treated as one.
  const cells = divideIntoCells(compiled, 120)
  const groups = new Map<string, { classNumber: number; from: number; work: Map<number, number> }>()
  let sum = 0
  for (let j = 0; j < need.length; j++) {
    const placeable = need[j]! - leftOver[j]!
    sum += weight[j]! * leftOver[j]!
    if (!placeable) continue
    const from = cells.ofClass[classOf[j]!]!.findIndex((cell) => cells.end[cell]! > release[j]!)
    const key = `${classOf[j]} ${from}`
    let group = groups.get(key)
    if (!group) {
      group = { classNumber: classOf[j]!, from, work: new Map() }
      groups.set(key, group)
    }
    group.work.set(weight[j]!, (group.work.get(weight[j]!) ?? 0) + placeable)
  }

  const count = cells.start.length
  const sink = count + groups.size
  const source = sink + 1
  const network = newNetwork(source + 1)
  for (let cell = 0; cell < count; cell++) addArc(network, cell, sink, cells.minutes[cell]!)
  const entries = [...groups.values()].map(({ classNumber, from, work }, g) => {
    for (const cell of cells.ofClass[classNumber]!.subarray(from)) {
      addArc(network, count + g, cell, cells.minutes[cell]!)
    }
    return { work, arc: addArc(network, source, count + g, 0) }
  })
  for (const level of [16, 8, 4, 2, 1]) {
    let offered = 0
    for (const { work, arc } of entries) {
      const minutes = work.get(level) ?? 0
      network.residual[arc]! += minutes
      offered += minutes
    }
    const placed = pushFlow(network, source, sink)
    sum += level * (offered - placed)
    // Work that did not fit now does not fit later, so its arcs are closed.
    for (const { arc } of entries) network.residual[arc] = 0
  }
  return sum
}
