// A plan from nothing: the best of several start sequences, then the search.
import type { Compiled } from './compile.ts'
import { compareCosts, latenessOf } from './cost.ts'
import { Decoder } from './decoder.ts'
import type { Sessions } from './draft.ts'
import { bySlack, type DispatchSetting } from './dispatch.ts'
import { byDue, byPriority, type Turn } from './orders.ts'
import { Placer } from './place.ts'
import { search } from './search.ts'
import { type Urgency, urgencyOf } from './urgency.ts'

/** Found by trial: which one does best depends on how full the fortnight is. */
const SETTINGS: DispatchSetting[] = [
  { lookAhead: 4, stillInTime: 2 },
  { lookAhead: 2, stillInTime: 4 },
  { lookAhead: 1, stillInTime: 8 },
  { lookAhead: 8, stillInTime: 1 },
]

/** Up to so many tasks several beginnings are followed. */
const SMALL = 20

/** Up to so many tasks even a single session is tried in two parts. */
const FEW = 60

/** Tasks beyond which the second search finds nothing in its budget. */
const MANY = 250

/** Turns per task beyond which it is not cut up further for the search. */
const MOST_TURNS = 6

/** What every plan of a problem is made from. */
export type Ground = {
  compiled: Compiled
  placer: Placer
  urgency: Urgency
  /** Every task that needs time behind what it waits for, the earlier due in front. */
  order: readonly number[]
  /** Per task: how late it is when it has all the time for itself. */
  unavoidable: Float64Array
}

export const groundOf = (compiled: Compiled): Ground => {
  const urgency = urgencyOf(compiled)
  const placer = new Placer(compiled)
  const order = byDue(compiled, urgency).map((turn) => turn.task)
  return { compiled, placer, urgency, order, unavoidable: unavoidableLateness(compiled, placer) }
}

/** Per task the pairs of its sessions. */
export const freshPlan = (ground: Ground, budget: number): Sessions[] => {
  const { compiled, placer, unavoidable } = ground
  const many = compiled.tasks.length > MANY
  const moves = many ? budget : Math.ceil(budget * 0.6)
  // Where quite different beginnings lead is hard to tell; a small problem can afford to look.
  const tried = starts(ground).slice(0, compiled.tasks.length <= SMALL ? 2 : 1)
  for (const start of tried) search(compiled, start, Math.ceil(moves / tried.length))
  const first = tried.reduce((a, b) => (compareCosts(b.cost, a.cost) < 0 ? b : a))
  const sessions = first.sessions()
  if (many) return sessions
  // Once more with every session on its own: tasks may then alternate where none could move whole.
  const second = new Decoder(compiled, placer, turnsOf(compiled, sessions), unavoidable)
  search(compiled, second, budget - moves)
  return compareCosts(second.cost, first.cost) < 0 ? second.sessions() : sessions
}

/** The sessions in order of time, each a turn; behind them who found no place. */
const turnsOf = (compiled: Compiled, sessions: readonly Sessions[]): Turn[] => {
  const { need, min, split, tasks } = compiled
  // An empty turn in front is one that the search may fill with part of the session.
  const mayBeCut = (j: number) =>
    split[j] === 1 &&
    need[j]! >= 2 * min[j]! &&
    (tasks.length <= SMALL || (tasks.length <= FEW && sessions[j]!.length === 2))
  const turns = sessions
    .flatMap((pairs, task) =>
      Array.from({ length: Math.min(2 * MOST_TURNS, pairs.length / 2) }, (_, i) => ({
        task,
        start: pairs[2 * i]!,
        quota: pairs[2 * i + 1]! - pairs[2 * i]!,
      })),
    )
    .toSorted((a, b) => a.start - b.start)
    .flatMap((turn) => (mayBeCut(turn.task) ? [{ ...turn, quota: 0 }, turn] : [turn]))
  const without = compiled.topological.filter(
    (j) => compiled.need[j]! > 0 && sessions[j]!.length === 0,
  )
  return [...turns, ...Array.from(without, (task) => ({ task, quota: compiled.need[task]! }))]
}

/** Moves to try; each decodes a fifth of a sequence or less. */
export const budgetFor = (tasks: number): number => {
  if (tasks <= 20) return Math.min(6000, 3 * tasks ** 3)
  return tasks <= 250 ? 3200 : tasks <= 1000 ? 300 : 150
}

/** The start sequences, the best first; of several that cost the same only one. */
const starts = ({ compiled, placer, urgency, order, unavoidable }: Ground): Decoder[] => {
  const settings = SETTINGS.slice(0, compiled.tasks.length > 1000 ? 2 : 4)
  return [
    byPriority(compiled, urgency),
    order.map((task) => ({ task, quota: compiled.need[task]! })),
    ...settings.map((setting) => joined(bySlack(compiled, urgency, setting))),
  ]
    .map((turns) => new Decoder(compiled, placer, turns, unavoidable))
    .toSorted((a, b) => compareCosts(a.cost, b.cost))
    .filter((one, i, all) => i === 0 || compareCosts(one.cost, all[i - 1]!.cost) !== 0)
}

export const bestStart = (ground: Ground): Decoder => starts(ground)[0]!

/** Neighbouring turns of one task become one, and so does what comes after the last that counts. */
const joined = (turns: Turn[]): Turn[] => {
  const result: Turn[] = []
  const count = new Map<number, Turn[]>()
  for (const turn of turns) {
    const own = count.get(turn.task) ?? []
    if (result.at(-1)?.task === turn.task || own.length >= MOST_TURNS)
      own.at(-1)!.quota += turn.quota
    else {
      const next = { ...turn }
      result.push(next)
      count.set(turn.task, [...own, next])
    }
  }
  return result
}

const unavoidableLateness = (compiled: Compiled, placer: Placer): Float64Array => {
  const { need, release, predecessors, topological, blocked } = compiled
  const earliest = Int32Array.from(release)
  const lost = blocked.slice()
  const unavoidable = new Float64Array(need.length)
  placer.timeline.clear()
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
