// An ejection chain: a task claims time, the tasks that occupy it are ejected and placed again, and they
// may eject further tasks.
import { scalarCost } from '../objective/cost.ts'
import type { Draft } from '../placement/draft.ts'
import { completeTask } from '../placement/keep-previous.ts'
import { Timeline } from '../placement/timeline.ts'
import type { Compiled } from '../problem/compile.ts'
import type { Sessions } from '../problem/sessions.ts'

/** After this many steps the remaining ejected tasks take the gaps that are left. */
const MAX_STEPS = 40

/** The minute from which a task claims time, and the sessions of other tasks that it may eject. */
export type Claim = {
  from: number
  mayEject: (other: number, start: number, end: number) => boolean
}

/** The claim of an ejected task that loses by being moved; undefined if it may not eject others. */
export type CounterClaim = (task: number, loss: number, steps: number) => Claim | undefined

export class EjectionChain {
  private readonly draft: Draft
  /** Position of each task in an order in which it comes after its predecessors. */
  private readonly rank: Int32Array
  private readonly obstacles: Timeline
  private readonly queue: number[] = []
  /** Tasks that claimed time in this chain are not ejected again. */
  private readonly fixed = new Set<number>()

  constructor(draft: Draft, rank: Int32Array) {
    this.draft = draft
    this.rank = rank
    this.obstacles = new Timeline(draft.compiled)
  }

  /** Lets the tasks claim time one after the other, and then places the ejected tasks again. */
  displace(
    tasks: readonly number[],
    claimOf: (task: number) => Claim | undefined,
    counterClaim: CounterClaim,
  ): void {
    for (const task of tasks) {
      const claim = claimOf(task)
      if (!claim) break
      this.claimTime(task, claim)
    }
    this.propagate(tasks, counterClaim)
  }

  /** Gives the task these sessions, ejects the tasks that occupy the time, and places those again. */
  restore(first: number, sessions: Sessions, counterClaim: CounterClaim): void {
    this.assign(first, sessions, () => true)
    this.propagate([first], counterClaim)
  }

  private propagate(first: readonly number[], counterClaim: CounterClaim): void {
    const { draft, queue, fixed } = this
    const { need, successors } = draft.compiled
    for (const task of first) this.enqueue(task)
    let steps = 0
    for (; queue.length > 0 && steps < MAX_STEPS; steps++) {
      const task = queue.shift()!
      const had = draft.sessions[task]!.length > 0
      if (!fixed.has(task)) {
        completeTask(draft, task)
        // If the task loses by its new place, it may eject tasks that lose less.
        const loss = this.lossOf(task)
        const claim = loss > 0 ? counterClaim(task, loss, steps) : undefined
        if (claim) this.claimTime(task, claim)
      }
      // Successors that start before the new end must move as well.
      const done = draft.rest(task) === 0
      const end = draft.end(task)
      for (const s of successors[task]!) {
        if (need[s] === 0) continue
        const starts = draft.sessions[s]![0]
        const startsTooEarly = starts !== undefined && (!done || starts < end)
        const mayNowStart = starts === undefined && done && (!had || first.includes(task))
        if (startsTooEarly || mayNowStart) {
          fixed.delete(s)
          this.enqueue(s)
        }
      }
    }
    // The chain is too long: the remaining tasks take the gaps that are left.
    for (const task of queue) completeTask(draft, task)
    queue.length = 0
    fixed.clear()
  }

  private claimTime(task: number, { from, mayEject }: Claim): void {
    const { draft, obstacles, fixed } = this
    const { compiled, placer } = draft
    draft.set(task, [])
    obstacles.clear()
    const { inOrder } = draft
    const since = relevantFrom(compiled, from)
    for (let i = inOrder.findIndex(({ end }) => end > since); i >= 0 && i < inOrder.length; i++) {
      const { task: k, start, end } = inOrder[i]!
      if (!draft.hasChanged(k) && !mayEject(k, start, end)) obstacles.append(start, end)
    }
    for (const { task: k } of draft.changes()) {
      const sessions = draft.sessions[k]!
      for (let i = 0; i < sessions.length; i += 2) {
        const start = sessions[i]!
        const end = sessions[i + 1]!
        if (end <= since || (!fixed.has(k) && mayEject(k, start, end))) continue
        obstacles.insert(start, end)
      }
    }
    const actual = placer.timeline
    placer.timeline = obstacles
    placer.fit(task, compiled.need[task]!, from)
    placer.timeline = actual
    this.assign(task, placer.found.slice(), mayEject)
  }

  private assign(task: number, sessions: Sessions, mayEject: Claim['mayEject']): void {
    const { draft, fixed } = this
    draft.set(task, [])
    const ejected = new Set<number>()
    const stretches = withPauses(draft, sessions)
    for (let i = 0; i < stretches.length; i += 2) {
      draft.owners(stretches[i]!, stretches[i + 1]!, ejected)
    }
    for (const other of ejected) this.eject(other, stretches)
    this.makeRoomOnDays(
      sessions,
      (other, start, end) => !fixed.has(other) && mayEject(other, start, end),
    )
    draft.set(task, sessions)
    fixed.add(task)
  }

  private eject(task: number, stretches: Sessions): void {
    this.draft.set(task, without(this.draft, task, stretches))
    this.enqueue(task)
  }

  /** Ejects the last sessions of a day until the new sessions fit into its daily limit. */
  private makeRoomOnDays(sessions: Sessions, mayEject: Claim['mayEject']): void {
    const { draft } = this
    const { dailyLimit } = draft.compiled
    if (dailyLimit === null) return
    for (let i = 0; i < sessions.length; i += 2) {
      const fits = () => draft.isFree(sessions[i]!, sessions[i + 1]!, sessions.slice(0, i))
      if (fits()) continue
      const day = dailyLimit.dayOf[sessions[i]!]!
      const ofDay = draft.sessionsBetween(dailyLimit.starts[day]!, dailyLimit.starts[day + 1]!)
      for (const { task, start, end } of ofDay.toReversed()) {
        if (!mayEject(task, start, end)) continue
        this.eject(task, [start, end])
        if (fits()) break
      }
    }
  }

  private enqueue(task: number): void {
    const { queue, rank } = this
    if (queue.includes(task)) return
    let at = queue.length
    while (at > 0 && rank[queue[at - 1]!]! > rank[task]!) at--
    queue.splice(at, 0, task)
  }

  private lossOf(task: number): number {
    const { draft } = this
    const before = draft.changes().find((change) => change.task === task)?.sessions
    if (!before) return 0
    return (
      scalarCost(draft.costOf(task, draft.sessions[task]!)) - scalarCost(draft.costOf(task, before))
    )
  }
}

/** The first minute whose sessions affect a claim from `from` on, by their pauses or by the daily
 *  limit. */
const relevantFrom = ({ pauses, dailyLimit }: Compiled, from: number): number => {
  const dayStart = dailyLimit?.starts[dailyLimit.dayOf[from] ?? -1] ?? from
  return Math.min(dayStart, from - (pauses?.long ?? 0))
}

/** The stretches that the sessions and their pauses occupy. */
const withPauses = ({ compiled, placer }: Draft, sessions: Sessions): Sessions =>
  compiled.pauses === null
    ? sessions
    : sessions.map((minute, i) =>
        i % 2 === 0 ? minute : placer.timeline.occupiedUntil(sessions[i - 1]!, minute),
      )

/** The sessions of the task that, with their pauses, do not overlap the stretches; none if it may not
 *  be split. */
const without = (draft: Draft, j: number, stretches: readonly number[]): Sessions => {
  if (!draft.compiled.split[j]) return []
  const sessions = draft.sessions[j]!
  const occupied = withPauses(draft, sessions)
  const clear: number[] = []
  for (let i = 0; i < sessions.length; i += 2) {
    let free = true
    for (let k = 0; k < stretches.length; k += 2) {
      if (occupied[i]! < stretches[k + 1]! && stretches[k]! < occupied[i + 1]!) free = false
    }
    if (free) clear.push(sessions[i]!, sessions[i + 1]!)
  }
  return clear
}
