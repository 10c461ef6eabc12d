// Proof by a minimum cut: "Not everything fits before Wed 17:00: 6 tasks need 11 h, and there are 9 h."
import { addArc, newNetwork, pushFlow, reachable } from '../bounds/max-flow.ts'
import { divideIntoCells, type TimeCells } from '../bounds/time-cells.ts'
import { clip, length, pairsOf, union } from '../problem/intervals.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { formatList, formatMinutes, formatShortage } from './format.ts'

/** The limit that tasks must meet: the due date, or the horizon. */
export type Limits = {
  limit: (j: number) => number
  /** Whether the task keeps its placed minutes; others are left out of the network. */
  stays: (j: number) => boolean
  /** The minutes that the task still needs before its limit. */
  missing: (j: number) => number
}

/**
 * Returns a function that gives the proof for a task, or null. The network starts with the flow of the
 * plan: the minutes of the placed tasks in the cells of time. The flow that can be added for a task,
 * with the others moved within their limits, is the time that it could have had. If it needs more, the
 * tasks on the source side of the minimum cut and the task itself cannot all meet their limits.
 */
export function minCutProver(
  context: ExplanationContext,
  missed: number[],
  { limit, stays, missing }: Limits,
) {
  if (!missed.length) return () => null
  const { compiled, taskBounds } = context
  const { classOf } = compiled
  const many = missed.length > MANY
  const { cells, network, sink, node, addArcs } = networkOfPlan(context, many, { limit, stays })
  const count = cells.start.length

  // Tasks that may use the same cells have the same competitors. With many tasks, ranges are rounded to
  // whole cells, so that more results are shared. The sentence is still checked minute by minute.
  const known = new Map<string, { room: number; competitors: number[] }>()
  function competitorsOf(j: number) {
    const range = many
      ? [firstCell(taskBounds.release[j]!), firstCell(limit(j) - 1)]
      : [taskBounds.release[j]!, limit(j)]
    const key = `${classOf[j]} ${range.join(' ')}`
    const seen = known.get(key)
    if (seen) return seen
    const from = network.arcs.push([]) - 1
    addArcs(from, j, (cell) => {
      const minutes = usableMinutes(cells, cell, taskBounds.release[j]!, limit(j))
      return many && minutes > 0 ? cells.minutes[cell]! : minutes
    })
    const sent = pushFlow(network, from, sink)
    const level = reachable(network, from)
    const found = { room: sent, competitors: [...node.keys()].filter((i) => level[node.get(i)!]) }
    // Remove the added flow again; the others keep their minutes, possibly in other cells.
    pushFlow(network, sink, from, sent)
    known.set(key, found)
    return found
  }
  function firstCell(minute: number) {
    let cell = 0
    while (cell < count && cells.end[cell]! <= minute) cell++
    return cell
  }

  const sentences = new Map<number[], (j: number) => string | null>()
  return (j: number): string | null => {
    if (taskBounds.release[j]! >= limit(j)) return null
    const { room, competitors } = competitorsOf(j)
    if (room >= missing(j)) return null
    let sentenceFor = sentences.get(competitors)
    if (!sentenceFor) {
      sentenceFor = cutSentenceFor(context, competitors, limit)
      sentences.set(competitors, sentenceFor)
    }
    return sentenceFor(j)
  }
}

/** Above this many tasks the network is coarser. */
export const MANY = 150

/** The network from the tasks that keep their minutes to the cells of time, with the flow of the plan. */
function networkOfPlan(
  { compiled, taskBounds, blocks, sessions }: ExplanationContext,
  many: boolean,
  { limit, stays }: Pick<Limits, 'limit' | 'stays'>,
) {
  const { need, classOf } = compiled
  const cells = divideIntoCells(compiled, many ? 120 : 60)
  const count = cells.start.length
  const others = compiled.tasks.flatMap((_, j) =>
    need[j]! > 0 && sessions[j]!.length > 0 && stays(j) ? [j] : [],
  )
  const network = newNetwork(count + 1 + others.length)
  const sink = count
  const drain = Array.from(cells.minutes, (minutes, cell) => addArc(network, cell, sink, minutes))
  const node = new Map(others.map((j, i) => [j, count + 1 + i]))
  const arcOf = new Map<number, number>()
  function addArcs(from: number, j: number, capacity: (cell: number) => number) {
    for (const cell of cells.ofClass[classOf[j]!]!) {
      const minutes = capacity(cell)
      if (minutes > 0) arcOf.set(from * count + cell, addArc(network, from, cell, minutes))
    }
  }
  for (const [j, from] of node)
    addArcs(from, j, (cell) => usableMinutes(cells, cell, taskBounds.release[j]!, limit(j)))
  for (const block of blocks) {
    const from = node.get(block.task)
    if (from === undefined) continue
    for (let minute = block.start; minute < block.end;) {
      const cell = cells.at[minute]!
      let until = minute + 1
      while (until < block.end && cells.at[until] === cell) until++
      for (const arc of [arcOf.get(from * count + cell)!, drain[cell]!]) {
        network.residual[arc]! -= until - minute
        network.residual[arc + 1]! += until - minute
      }
      minute = until
    }
  }
  return { cells, network, sink, node, addArcs }
}

function usableMinutes(cells: TimeCells, cell: number, from: number, until: number) {
  const length = Math.min(cells.end[cell]!, until) - Math.max(cells.start[cell]!, from)
  return Math.min(cells.minutes[cell]!, length)
}

/** The sentence for a task and its competitors, if a count minute by minute confirms the cut. */
function cutSentenceFor(
  context: ExplanationContext,
  competitors: number[],
  limit: (j: number) => number,
) {
  const { compiled, taskBounds, when, title } = context
  const { need, classOf, horizon } = compiled
  const ranges = new Map<string, [number, number][]>()
  let sum = 0
  let last = 0
  for (const i of competitors) {
    sum += need[i]!
    last = Math.max(last, limit(i))
    const key = `${classOf[i]} ${taskBounds.release[i]} ${limit(i)}`
    if (!ranges.has(key)) ranges.set(key, usableTime(i))
  }
  function usableTime(i: number) {
    return clip(pairsOf(compiled.classes[classOf[i]!]!.free), taskBounds.release[i]!, limit(i))
  }
  const shared = pairsOf(union([...ranges.values()].flat()))
  const competitorSet = new Set(competitors)
  const known = new Map<string, number>()
  function openWith(j: number) {
    const key = `${classOf[j]} ${taskBounds.release[j]} ${limit(j)}`
    const open = known.get(key) ?? length(union([...shared, ...usableTime(j)]))
    known.set(key, open)
    return open
  }

  return (j: number): string | null => {
    const among = competitorSet.has(j)
    const open = openWith(j)
    const total = among ? sum : sum + need[j]!
    if (total <= open) return null
    const until = Math.max(last, limit(j))
    const by = until < horizon ? `before ${when(until)}` : 'in the next 14 days'
    const count = competitors.length + (among ? 0 : 1)
    if (count === 1) {
      const have = open ? formatMinutes(open) : 'none left'
      return `It needs ${formatMinutes(total)} ${by}, and your hours have ${have}.`
    }
    const names = [j, ...competitors.slice(0, 4).filter((i) => i !== j)].map(title)
    return `${formatShortage(by, count, total, open)} ${formatList(names, count)}.`
  }
}
