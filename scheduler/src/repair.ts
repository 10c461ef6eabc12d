// Improves a plan by few moves. A task that is late or left over takes the time of others, and
// those look for another place. Each block that moves has a price, the nearer its day the higher,
// so a block that need not move does not move.
import type { Compiled } from './compile.ts'
import type { Draft, Sessions } from './draft.ts'
import { complete, earliestStart } from './keep.ts'
import type { Cost } from './model.ts'
import { Timeline } from './timeline.ts'
import { NO_DUE } from './weights.ts'

/** What a moved block costs, in minutes of lateness of a task without priority. */
export const MOVED = 480
const TODAY = 4
const TOMORROW = 2

/** How many of the worst tasks are given a try; of a long backlog fewer, since each costs more. */
const mostTried = (tasks: number) => (tasks > 250 ? 24 : 40)

/** A loss that is mere earliness. */
const A_LITTLE = 240
/** How long a chain of moves may get, and how much of it at the expense of others. */
const MOST_MOVED = 40
const MOST_CHAINED = 8

export type Repair = {
  draft: Draft
  /** Starts of the next two local days in minutes. */
  midnights: readonly [number, number]
  /** What a moved block costs: nothing while nobody has seen the plan. */
  price: number
  /** Per task: what lateness no plan avoids. */
  unavoidable: Float64Array
  /** Place of each task in an order in which it stands behind what it waits for. */
  rank: Int32Array
  /** Tasks to try besides the late ones. */
  also: readonly number[]
}

/** All levels in one currency, for comparing plans that keep with plans that move. */
export const worth = ({ lateness, leftOver, earliness }: Cost): number =>
  lateness + 16 * leftOver + earliness / 3600

/** The price of getting from one plan of a task to another. */
export const priceOfMoves = (
  { midnights, price }: Pick<Repair, 'midnights' | 'price'>,
  before: ArrayLike<number>,
  after: ArrayLike<number>,
): number => {
  let sum = 0
  let k = 0
  for (let i = 0; i < before.length; i += 2) {
    const start = before[i]!
    while (k < after.length && after[k]! < start) k += 2
    if (k < after.length && after[k] === start && after[k + 1] === before[i + 1]) continue
    sum += price * (start < midnights[0] ? TODAY : start < midnights[1] ? TOMORROW : 1)
  }
  return sum
}

/** Until no move pays. Tells whether any did. */
export const repair = (given: Repair): boolean => {
  const { draft } = given
  draft.keep()
  let any = false
  for (let sweep = 0; sweep < 20; sweep++) {
    let better = false
    let losses: Losses | undefined
    for (const j of candidates(given)) {
      losses ??= lossesByMoving(draft)
      const best = bestMove(given, j, losses)
      if (!best) continue
      displace(given, j, best, losses)
      draft.keep()
      losses = undefined
      better = true
    }
    if (!better) break
    any = true
  }
  return any
}

/** From when on the task looks for time, and whose it may take: of those who lose at most this. */
type Move = { from: number; loss: number; chain: boolean }

/** The move of the task that pays most, if any does. */
const bestMove = (given: Repair, j: number, losses: Losses): Move | undefined => {
  const { draft, unavoidable } = given
  const { lateness, leftOver } = draft.costOf(j, draft.sessions[j]!)
  const hope = lateness - unavoidable[j]! + 16 * leftOver
  let best: Move | undefined
  let most = 1e-6
  for (const from of startsFor(given, j)) {
    for (const move of [
      { from, loss: A_LITTLE, chain: false },
      { from, loss: hope / 2, chain: true },
      { from, loss: Infinity, chain: true },
    ]) {
      displace(given, j, move, losses)
      const gain = gainOf(given)
      if (gain > most) {
        most = gain
        best = move
      }
      draft.takeBack()
    }
  }
  return best
}

type Losses = {
  /** Per task: what it would lose if it had to look for another place among the gaps. */
  byTask: Float64Array
  /** The sessions of all in order of start: task, start, end. */
  sessions: (readonly [number, number, number])[]
}

const lossesByMoving = (draft: Draft): Losses => {
  const { compiled, placer } = draft
  const byTask = new Float64Array(draft.sessions.length)
  const sessions: [number, number, number][] = []
  const { topological, successors, need } = compiled
  // Last those that others wait for: when they move, the others may have to as well.
  for (let t = topological.length - 1; t >= 0; t--) {
    const j = topological[t]!
    const pairs = draft.sessions[j]!
    if (pairs.length === 0) continue
    const before = draft.costOf(j, pairs)
    placer.fit(j, need[j]!, pairs[0]!)
    let loss = worth(draft.costOf(j, placer.found)) - worth(before)
    for (const s of successors[j]!) {
      const start = draft.sessions[s]![0]
      if (start !== undefined && (placer.rest > 0 || start < placer.end)) {
        loss += Math.max(0, byTask[s]!)
      }
    }
    byTask[j] = loss
    for (let i = 0; i < pairs.length; i += 2) sessions.push([j, pairs[i]!, pairs[i + 1]!])
  }
  return { byTask, sessions: sessions.toSorted((a, b) => a[1] - b[1]) }
}

/** Who has most to gain per minute. */
const candidates = ({ draft, unavoidable, also }: Repair): number[] => {
  const { need, blocked } = draft.compiled
  const gains: { task: number; gain: number }[] = []
  for (let j = 0; j < need.length; j++) {
    if (need[j] === 0 || blocked[j]) continue
    const { lateness, leftOver } = draft.costOf(j, draft.sessions[j]!)
    const gain = lateness - unavoidable[j]! + leftOver
    if (gain > 0) gains.push({ task: j, gain: gain / need[j]! })
  }
  const worst = gains
    .toSorted((a, b) => b.gain - a.gain || a.task - b.task)
    .slice(0, mostTried(need.length))
    .map(({ task }) => task)
  return [...worst, ...also.filter((j) => !worst.includes(j))]
}

/** As soon as it may, or on one of the next days, where moving others costs less. */
const startsFor = ({ draft, midnights }: Repair, j: number): number[] => {
  const { due, horizon } = draft.compiled
  const from = earliestStart(draft, j)
  if (from === Infinity) return []
  const latest = due[j] === NO_DUE || due[j]! <= 0 ? horizon : Math.min(horizon, due[j]!)
  const days = [midnights[0], midnights[1], midnights[1] + 1440, midnights[1] + 2880]
  return [from, ...days.filter((day) => day > from && day < latest)]
}

/** Places the task as if the time of others were free, and moves them. */
const displace = (given: Repair, j: number, move: Move, losses: Losses): void => {
  const { draft, rank } = given
  const { compiled } = draft
  const queue: number[] = []
  const add = (task: number) => {
    if (queue.includes(task)) return
    let at = queue.length
    while (at > 0 && rank[queue[at - 1]!]! > rank[task]!) at--
    queue.splice(at, 0, task)
  }
  const takeTime = (task: number, from: number, loss: number) => {
    draft.set(task, [])
    const found = placeOver(draft, task, from, loss, losses, settled)
    const victims = new Set<number>()
    for (let i = 0; i < found.length; i += 2) draft.owners(found[i]!, found[i + 1]!, victims)
    for (const victim of victims) {
      draft.set(victim, without(compiled, draft, victim, found))
      add(victim)
    }
    draft.set(task, found)
    settled.add(task)
  }
  // Who took time of others in this move keeps it.
  const settled = new Set<number>()
  takeTime(j, move.from, move.loss)
  add(j)

  for (let steps = 0; queue.length > 0 && steps < MOST_MOVED; steps++) {
    const task = queue.shift()!
    const had = draft.sessions[task]!.length > 0
    if (!settled.has(task)) {
      complete(draft, task)
      // Instead of being late itself it may take the time of someone who can wait.
      const from = earliestStart(draft, task)
      if (move.chain && steps < MOST_CHAINED && from < Infinity) {
        const before = draft.changes().find((change) => change.task === task)?.sessions
        const loss = before
          ? worth(draft.costOf(task, draft.sessions[task]!)) - worth(draft.costOf(task, before))
          : 0
        if (loss > 2 * MOVED) takeTime(task, from, loss / 4)
      }
    }
    // Whoever waits for someone that now ends later goes with it.
    const done = draft.rest(task) === 0
    const end = draft.end(task)
    for (const s of compiled.successors[task]!) {
      if (compiled.need[s] === 0) continue
      const starts = draft.sessions[s]![0]
      const disturbed = starts !== undefined && (!done || starts < end)
      const hopeful = starts === undefined && done && (!had || task === j)
      if (disturbed || hopeful) {
        settled.delete(s)
        add(s)
      }
    }
  }
  // Too long a chain: those at its end take what is left.
  for (const task of queue) complete(draft, task)
}

/** Where it would go if those who lose at most `loss` made way. */
const placeOver = (
  draft: Draft,
  j: number,
  from: number,
  loss: number,
  losses: Losses,
  settled: ReadonlySet<number>,
): number[] => {
  const { compiled, placer } = draft
  const actual = placer.timeline
  const timeline = new Timeline()
  if (loss < Infinity) {
    for (const [k, start, end] of losses.sessions) {
      if (losses.byTask[k]! > loss && !draft.hasChanged(k)) timeline.append(start, end)
    }
  }
  for (const { task: k } of draft.changes()) {
    if (losses.byTask[k]! <= loss && !settled.has(k)) continue
    const sessions = draft.sessions[k]!
    for (let i = 0; i < sessions.length; i += 2) timeline.insert(sessions[i]!, sessions[i + 1]!)
  }
  placer.timeline = timeline
  placer.fit(j, compiled.need[j]!, from)
  placer.timeline = actual
  return placer.found.slice()
}

/** The sessions of the task that stay clear of the stretches; none if it cannot be in parts. */
const without = (
  compiled: Compiled,
  draft: Draft,
  j: number,
  stretches: readonly number[],
): Sessions => {
  if (!compiled.split[j]) return []
  const sessions = draft.sessions[j]!
  const clear: number[] = []
  for (let i = 0; i < sessions.length; i += 2) {
    let free = true
    for (let k = 0; k < stretches.length; k += 2) {
      if (sessions[i]! < stretches[k + 1]! && stretches[k]! < sessions[i + 1]!) free = false
    }
    if (free) clear.push(sessions[i]!, sessions[i + 1]!)
  }
  return clear
}

/** What the changes are worth, less the price of the moves; nothing if work gets later on the whole,
 *  whatever else it may bring. */
const gainOf = (given: Repair): number => {
  const { draft } = given
  let gain = 0
  let lateness = 0
  for (const { task, sessions } of draft.changes()) {
    const before = draft.costOf(task, sessions)
    const after = draft.costOf(task, draft.sessions[task]!)
    gain += worth(before) - worth(after) - priceOfMoves(given, sessions, draft.sessions[task]!)
    lateness += before.lateness - after.lateness
  }
  return lateness >= 0 ? gain : 0
}
