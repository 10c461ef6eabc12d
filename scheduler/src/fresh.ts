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

const SETTINGS: DispatchSetting[] = [
  { lookAhead: 1, stillInTime: 4 },
  { lookAhead: 2, stillInTime: 4 },
  { lookAhead: 4, stillInTime: 1 },
  { lookAhead: 8, stillInTime: 1 },
]

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
  const decoder = bestStart(ground)
  search(ground.compiled, decoder, budget)
  return decoder.sessions()
}

export const budgetFor = (tasks: number): number =>
  tasks <= 20 ? Math.min(400, 6 * tasks * tasks) : tasks <= 250 ? 1500 : tasks <= 1000 ? 600 : 250

export const bestStart = ({ compiled, placer, urgency, order, unavoidable }: Ground): Decoder => {
  const starts = [
    byPriority(compiled, urgency),
    order.map((task) => ({ task, quota: compiled.need[task]! })),
    ...SETTINGS.map((setting) => joined(bySlack(compiled, urgency, setting))),
  ]
  return starts
    .map((turns) => new Decoder(compiled, placer, turns, unavoidable))
    .reduce((best, next) => (compareCosts(next.cost, best.cost) < 0 ? next : best))
}

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
