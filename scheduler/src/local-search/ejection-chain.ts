// A chain of moves: a task takes the time of others, and those look for another place.
import type { Compiled } from '../problem/compile.ts'
import type { Draft } from '../placement/draft.ts'
import { complete } from '../placement/keep-previous.ts'
import { worth } from '../objective/stability.ts'
import type { Sessions } from '../problem/sessions.ts'
import { Timeline } from '../placement/timeline.ts'

/** How many may have to look for a place before the last ones take what is left. */
const MOST_MOVED = 40

/** From when on a task looks for time, and who makes way for it. */
export type Claim = { from: number; makesWay: (other: number) => boolean }

/** Whether a task that had to make way and loses by it takes the time of others in its turn. */
export type Answer = (task: number, loss: number, steps: number) => Claim | undefined

export const newChain = (draft: Draft, rank: Int32Array) => {
  const { compiled, placer } = draft
  const { need, successors } = compiled
  const over = new Timeline()
  const queue: number[] = []
  // Who took time of others in this chain keeps it.
  const settled = new Set<number>()

  /** Moves the tasks one after the other by their claims. */
  const displace = (
    tasks: readonly number[],
    claimOf: (task: number) => Claim | undefined,
    answer: Answer,
  ): void => {
    for (const task of tasks) {
      const claim = claimOf(task)
      if (!claim) break
      take(task, claim)
    }
    follow(tasks, answer)
  }

  /** Gives the task these sessions, whoever has the time now. */
  const bringBack = (first: number, sessions: Sessions, answer: Answer): void => {
    give(first, sessions)
    follow([first], answer)
  }

  const follow = (first: readonly number[], answer: Answer): void => {
    for (const task of first) enqueue(task)
    let steps = 0
    for (; queue.length > 0 && steps < MOST_MOVED; steps++) {
      const task = queue.shift()!
      const had = draft.sessions[task]!.length > 0
      if (!settled.has(task)) {
        complete(draft, task)
        // Instead of being late itself it may take the time of someone who can wait.
        const loss = lossOf(task)
        const claim = loss > 0 ? answer(task, loss, steps) : undefined
        if (claim) take(task, claim)
      }
      // Whoever waits for someone that now ends later goes with it.
      const done = draft.rest(task) === 0
      const end = draft.end(task)
      for (const s of successors[task]!) {
        if (need[s] === 0) continue
        const starts = draft.sessions[s]![0]
        const disturbed = starts !== undefined && (!done || starts < end)
        const hopeful = starts === undefined && done && (!had || first.includes(task))
        if (disturbed || hopeful) {
          settled.delete(s)
          enqueue(s)
        }
      }
    }
    // Too long a chain: those at its end take what is left.
    for (const task of queue) complete(draft, task)
    queue.length = 0
    settled.clear()
  }

  const take = (task: number, { from, makesWay }: Claim): void => {
    draft.set(task, [])
    over.clear()
    const { inOrder } = draft
    for (let i = inOrder.findIndex(({ end }) => end > from); i >= 0 && i < inOrder.length; i++) {
      const { task: k, start, end } = inOrder[i]!
      if (!draft.hasChanged(k) && !makesWay(k)) over.append(start, end)
    }
    for (const { task: k } of draft.changes()) {
      if (!settled.has(k) && makesWay(k)) continue
      const sessions = draft.sessions[k]!
      for (let i = 0; i < sessions.length; i += 2) {
        if (sessions[i + 1]! > from) over.insert(sessions[i]!, sessions[i + 1]!)
      }
    }
    const actual = placer.timeline
    placer.timeline = over
    placer.fit(task, need[task]!, from)
    placer.timeline = actual
    give(task, placer.found.slice())
  }

  const give = (task: number, sessions: Sessions): void => {
    draft.set(task, [])
    const victims = new Set<number>()
    for (let i = 0; i < sessions.length; i += 2) {
      draft.owners(sessions[i]!, sessions[i + 1]!, victims)
    }
    for (const victim of victims) {
      draft.set(victim, without(compiled, draft, victim, sessions))
      enqueue(victim)
    }
    draft.set(task, sessions)
    settled.add(task)
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
    return worth(draft.costOf(task, draft.sessions[task]!)) - worth(draft.costOf(task, before))
  }

  return { displace, bringBack }
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
