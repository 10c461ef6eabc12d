// The cut in words: "These 6 tasks need 11 h before Wed 17:00; 9 h are open."
import { divideIntoCells } from '../bounds/time-cells.ts'
import { addArc, newNetwork, pushFlow, reachable } from '../bounds/max-flow.ts'
import { clip, length, union } from '../problem/intervals.ts'
import type { Outlook } from './explanation-context.ts'
import { listed, openWords, span } from './format.ts'

/** What it means to keep a limit: the due date, or the horizon. */
export type Limits = {
  limit: (j: number) => number
  /** Whether what is placed of a task stays so; else it gives way. */
  stays: (j: number) => boolean
  /** The minutes that a task would still have to get before its limit. */
  missing: (j: number) => number
}

/**
 * The tasks that stay fill a network of time as they lie. What more of a task could still flow in,
 * with the others moved at will but in their limits, it could have had. If that is less than it
 * misses, then those that stand in its way, found behind the full cells, and the task itself cannot
 * all be done within their limits in any plan.
 */
export function newClash(view: Outlook, missed: number[], { limit, stays, missing }: Limits) {
  if (!missed.length) return () => null
  const { compiled, taskBounds, blocks, sessions } = view
  const { need, classOf } = compiled
  const many = missed.length > MANY
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
  for (const [j, from] of node) join(from, j, (cell) => reach(cell, taskBounds.release[j]!, limit(j)))
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

  function reach(cell: number, from: number, until: number) {
    const length = Math.min(cells.end[cell]!, until) - Math.max(cells.start[cell]!, from)
    return Math.min(cells.minutes[cell]!, length)
  }
  function join(from: number, j: number, capacity: (cell: number) => number) {
    for (const cell of cells.ofClass[classOf[j]!]!) {
      const minutes = capacity(cell)
      if (minutes > 0) arcOf.set(from * count + cell, addArc(network, from, cell, minutes))
    }
  }

  // Tasks that may lie in the same cells meet the same others. Where there are many, cells count
  // whole, so that more of them are alike; the sentence is checked by the minute in any case.
  const known = new Map<string, { room: number; rivals: number[] }>()
  function rivalsOf(j: number) {
    const range = many
      ? [firstCell(taskBounds.release[j]!), firstCell(limit(j) - 1)]
      : [taskBounds.release[j]!, limit(j)]
    const key = `${classOf[j]} ${range.join(' ')}`
    const seen = known.get(key)
    if (seen) return seen
    const from = network.arcs.push([]) - 1
    join(from, j, (cell) => {
      const minutes = reach(cell, taskBounds.release[j]!, limit(j))
      return many && minutes > 0 ? cells.minutes[cell]! : minutes
    })
    const sent = pushFlow(network, from, sink)
    const level = reachable(network, from)
    const found = { room: sent, rivals: others.filter((i) => level[node.get(i)!]) }
    // And back again: the others keep what they have, if not where.
    pushFlow(network, sink, from, sent)
    known.set(key, found)
    return found
  }
  function firstCell(minute: number) {
    let cell = 0
    while (cell < count && cells.end[cell]! <= minute) cell++
    return cell
  }

  const told = new Map<number[], (j: number) => string | null>()
  return (j: number): string | null => {
    if (taskBounds.release[j]! >= limit(j)) return null
    const { room, rivals } = rivalsOf(j)
    if (room >= missing(j)) return null
    let tell = told.get(rivals)
    if (!tell) {
      tell = teller(view, rivals, limit)
      told.set(rivals, tell)
    }
    return tell(j)
  }
}

/** Beyond this many, tasks are looked at more coarsely. */
export const MANY = 150

/** Says the cut for a task and its rivals, after counting both sides of it minute by minute. */
function teller(view: Outlook, rivals: number[], limit: (j: number) => number) {
  const { compiled, taskBounds, when, title } = view
  const { need, classOf, horizon } = compiled
  const ranges = new Map<string, [number, number][]>()
  let sum = 0
  let last = 0
  for (const i of rivals) {
    sum += need[i]!
    last = Math.max(last, limit(i))
    const key = `${classOf[i]} ${taskBounds.release[i]} ${limit(i)}`
    if (!ranges.has(key)) ranges.set(key, reachOf(i))
  }
  function reachOf(i: number) {
    return clip(pairsOf(compiled.classes[classOf[i]!]!.free), taskBounds.release[i]!, limit(i))
  }
  const shared = pairsOf(union([...ranges.values()].flat()))
  const members = new Set(rivals)
  const known = new Map<string, number>()
  function openWith(j: number) {
    const key = `${classOf[j]} ${taskBounds.release[j]} ${limit(j)}`
    const open = known.get(key) ?? length(union([...shared, ...reachOf(j)]))
    known.set(key, open)
    return open
  }

  return (j: number): string | null => {
    const among = members.has(j)
    const open = openWith(j)
    const total = among ? sum : sum + need[j]!
    if (total <= open) return null
    const until = Math.max(last, limit(j))
    const by = until < horizon ? `before ${when(until)}` : 'in the next 14 days'
    const room = openWords(open)
    const count = rivals.length + (among ? 0 : 1)
    if (count === 1) return `It needs ${span(total)} ${by}; ${room}.`
    const names = [j, ...rivals.slice(0, 4).filter((i) => i !== j)].map(title)
    return `These ${count} tasks need ${span(total)} ${by}; ${room}: ${listed(names, count)}.`
  }
}

const pairsOf = (set: Int32Array) =>
  Array.from({ length: set.length / 2 }, (_, i): [number, number] => [set[2 * i]!, set[2 * i + 1]!])
