// An ejection chain: a task claims time, the tasks that had it are ejected and placed again, and may
// eject further tasks.
import { scalarCost } from '../objective/cost.ts'
import type { Draft } from '../placement/draft.ts'
import { completeTask } from '../placement/keep-previous.ts'
import { Timeline } from '../placement/timeline.ts'
import type { Compiled } from '../problem/compile.ts'
import type { Sessions } from '../problem/sessions.ts'

/** After this many steps the remaining ejected tasks take the gaps that are left. */
const MAX_STEPS = 40

/** The minute from which a task claims time, and the tasks that it may eject. */
export type Claim = { from: number; mayEject: (other: number) => boolean }

/** The claim of an ejected task that loses by its move; undefined if it ejects no other. */
export type CounterClaim = (task: number, loss: number, steps: number) => Claim | undefined

export const newEjectionChain = (draft: Draft, rank: Int32Array) => {
  const { compiled, placer } = draft
  const { need, successors } = compiled
  const obstacles = new Timeline()
  const queue: number[] = []
  // Tasks that claimed time in this chain are not ejected again.
  const fixed = new Set<number>()

  /** Lets the tasks claim time one after the other, and follows the chain. */
  const displace = (
    tasks: readonly number[],
    claimOf: (task: number) => Claim | undefined,
    counterClaim: CounterClaim,
  ): void => {
    for (const task of tasks) {
      const claim = claimOf(task)
      if (!claim) break
      claimTime(task, claim)
    }
    propagate(tasks, counterClaim)
  }

  /** Gives the task these sessions, ejects the tasks that have the time, and follows the chain. */
  const restore = (first: number, sessions: Sessions, counterClaim: CounterClaim): void => {
    assign(first, sessions)
    propagate([first], counterClaim)
  }

  const propagate = (first: readonly number[], counterClaim: CounterClaim): void => {
    for (const task of first) enqueue(task)
    let steps = 0
    for (; queue.length > 0 && steps < MAX_STEPS; steps++) {
      const task = queue.shift()!
      const had = draft.sessions[task]!.length > 0
      if (!fixed.has(task)) {
        completeTask(draft, task)
        // If the task loses by its new place, it may eject tasks that lose less.
        const loss = lossOf(task)
        const claim = loss > 0 ? counterClaim(task, loss, steps) : undefined
        if (claim) claimTime(task, claim)
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
          enqueue(s)
        }
      }
    }
    // The chain is too long: the remaining tasks take the gaps that are left.
    for (const task of queue) completeTask(draft, task)
    queue.length = 0
    fixed.clear()
  }

  const claimTime = (task: number, { from, mayEject }: Claim): void => {
    draft.set(task, [])
    obstacles.clear()
    const { inOrder } = draft
    for (let i = inOrder.findIndex(({ end }) => end > from); i >= 0 && i < inOrder.length; i++) {
      const { task: k, start, end } = inOrder[i]!
      if (!draft.hasChanged(k) && !mayEject(k)) obstacles.append(start, end)
    }
    for (const { task: k } of draft.changes()) {
      if (!fixed.has(k) && mayEject(k)) continue
      const sessions = draft.sessions[k]!
      for (let i = 0; i < sessions.length; i += 2) {
        if (sessions[i + 1]! > from) obstacles.insert(sessions[i]!, sessions[i + 1]!)
      }
    }
    const actual = placer.timeline
    placer.timeline = obstacles
    placer.fit(task, need[task]!, from)
    placer.timeline = actual
    assign(task, placer.found.slice())
  }

  const assign = (task: number, sessions: Sessions): void => {
    draft.set(task, [])
    const ejected = new Set<number>()
    for (let i = 0; i < sessions.length; i += 2) {
      draft.owners(sessions[i]!, sessions[i + 1]!, ejected)
    }
    for (const ejectedTask of ejected) {
      draft.set(ejectedTask, without(compiled, draft, ejectedTask, sessions))
      enqueue(ejectedTask)
    }
    draft.set(task, sessions)
    fixed.add(task)
  }

  const enqueue = (task: number): void => {
    if (queue.includes(task)) return
    let at = queue.length
    while (at > 0 && rank[queue[at - 1]!]! > rank[task]!) at--
    queue.splice(at, 0, task)
  }

  const lossOf = (task: number): number => {
    const before = draft.changes().find((change) => change.task === task)?.sessions
    if (!before) return 0
    return (
      scalarCost(draft.costOf(task, draft.sessions[task]!)) - scalarCost(draft.costOf(task, before))
    )
  }

  return { displace, restore }
}

/** The sessions of the task that do not overlap the stretches; none if it may not be split. */
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
