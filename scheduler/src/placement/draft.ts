// A plan that can be changed task by task; changes are committed or undone together.
import type { Cost } from '../model.ts'
import { EARLINESS_UNIT, earlinessOf, latenessOf, riskOf } from '../objective/cost.ts'
import type { Compiled } from '../problem/compile.ts'
import type { Sessions } from '../problem/sessions.ts'
import { Placer } from './placer.ts'

type Session = { task: number; start: number; end: number }

const NONE: Sessions = []

export class Draft {
  readonly compiled: Compiled
  /** The placer whose timeline holds the sessions of the draft. */
  readonly placer: Placer
  /** Per task the pairs of its sessions, in order. */
  readonly sessions: Sessions[]
  /** Per minute: the number, plus one, of the task whose session or pause takes it; 0 if it is free. */
  private readonly owner: Int32Array
  /** All sessions in order of start, as of the last `commit`. */
  inOrder: readonly Session[] = []
  private readonly log: { task: number; sessions: Sessions }[] = []
  private readonly logged: Uint8Array

  constructor(compiled: Compiled) {
    const n = compiled.need.length
    this.compiled = compiled
    this.placer = new Placer(compiled)
    this.sessions = Array.from({ length: n }, () => NONE)
    this.owner = new Int32Array(compiled.horizon + 1)
    this.logged = new Uint8Array(n)
  }

  /** Whether a session may be added to the draft together with the earlier sessions `others`. */
  isFree(start: number, end: number, others: Sessions = NONE): boolean {
    return this.placer.timeline.isFree(start, end, this.minutesOnDayOf(start, others))
  }

  /** The total minutes of `sessions` on the day of `minute`; 0 without a daily limit. */
  private minutesOnDayOf(minute: number, sessions: Sessions): number {
    const { dailyLimit } = this.compiled
    if (dailyLimit === null) return 0
    let sum = 0
    for (let i = 0; i < sessions.length; i += 2) {
      const isSameDay = dailyLimit.dayOf[sessions[i]!] === dailyLimit.dayOf[minute]
      if (isSameDay) sum += sessions[i + 1]! - sessions[i]!
    }
    return sum
  }

  /** Replaces the sessions of the task. The new ones may overlap only the task's old ones. */
  set(j: number, sessions: Sessions): void {
    if (!this.logged[j]) {
      this.logged[j] = 1
      this.log.push({ task: j, sessions: this.sessions[j]! })
    }
    this.erase(j)
    this.write(j, sessions)
  }

  rest(j: number): number {
    let rest = this.compiled.need[j]!
    const sessions = this.sessions[j]!
    for (let i = 0; i < sessions.length; i += 2) rest -= sessions[i + 1]! - sessions[i]!
    return rest
  }

  /** End of its last session, 0 without any. */
  end(j: number): number {
    return this.sessions[j]!.at(-1) ?? 0
  }

  /** Adds the tasks with sessions or pauses in the stretch to `owners`, in order of time. */
  owners(start: number, end: number, owners: Set<number>): void {
    for (let minute = start; minute < end; minute++) {
      const owner = this.owner[minute]!
      if (owner > 0) owners.add(owner - 1)
    }
  }

  /** The sessions that start in the stretch, in order. */
  sessionsBetween(from: number, until: number): Session[] {
    const tasks = new Set<number>()
    this.owners(Math.max(0, from), until, tasks)
    const found: Session[] = []
    for (const task of tasks) {
      const sessions = this.sessions[task]!
      for (let i = 0; i < sessions.length; i += 2) {
        const start = sessions[i]!
        if (start >= from && start < until) found.push({ task, start, end: sessions[i + 1]! })
      }
    }
    return found.toSorted((a, b) => a.start - b.start)
  }

  /** The tasks changed since the last `commit` or `undo`, with their previous sessions. */
  changes(): readonly { task: number; sessions: Sessions }[] {
    return this.log
  }

  hasChanged(j: number): boolean {
    return this.logged[j] === 1
  }

  commit(): void {
    if (this.log.length === 0) return
    this.inOrder = this.order()
    this.forget()
  }

  /** All sessions in order of start, with the changes since the last `commit`. */
  order(): readonly Session[] {
    if (this.log.length === 0) return this.inOrder
    const added: Session[] = []
    for (const { task } of this.log) {
      const sessions = this.sessions[task]!
      for (let i = 0; i < sessions.length; i += 2) {
        added.push({ task, start: sessions[i]!, end: sessions[i + 1]! })
      }
    }
    const stay = this.inOrder.filter(({ task }) => !this.logged[task])
    return inOrderOfStart(
      stay,
      added.toSorted((a, b) => a.start - b.start),
    )
  }

  undo(): void {
    for (const { task } of this.log) this.erase(task)
    for (const { task, sessions } of this.log) this.write(task, sessions)
    this.forget()
  }

  /** Replaces the whole plan by another one of the same problem. */
  replace(plan: readonly Sessions[]): void {
    for (const [j, sessions] of plan.entries()) if (sessions !== this.sessions[j]) this.set(j, NONE)
    for (const [j, sessions] of plan.entries()) {
      if (sessions !== this.sessions[j]) this.set(j, sessions)
    }
    this.commit()
  }

  costOf(j: number, sessions: Sessions): Cost {
    const { compiled } = this
    const weight = compiled.weight[j]!
    let rest = compiled.need[j]!
    let earliness = 0
    for (let i = 0; i < sessions.length; i += 2) {
      rest -= sessions[i + 1]! - sessions[i]!
      earliness += earlinessOf(weight, sessions[i]!, sessions[i + 1]!)
    }
    const end = sessions.at(-1) ?? 0
    earliness += EARLINESS_UNIT * riskOf(compiled, j, end, rest)
    return { lateness: latenessOf(compiled, j, end, rest), leftOver: weight * rest, earliness }
  }

  /** The part of the cost that is the risk of the task. */
  riskOf(j: number, sessions: Sessions): number {
    let rest = this.compiled.need[j]!
    for (let i = 0; i < sessions.length; i += 2) rest -= sessions[i + 1]! - sessions[i]!
    return riskOf(this.compiled, j, sessions.at(-1) ?? 0, rest)
  }

  private forget(): void {
    for (const { task } of this.log) this.logged[task] = 0
    this.log.length = 0
  }

  private erase(j: number): void {
    const sessions = this.sessions[j]!
    const { timeline } = this.placer
    for (let i = 0; i < sessions.length; i += 2) {
      timeline.remove(sessions[i]!, sessions[i + 1]!)
      this.owner.fill(0, sessions[i], timeline.occupiedUntil(sessions[i]!, sessions[i + 1]!))
    }
    this.sessions[j] = NONE
  }

  private write(j: number, sessions: Sessions): void {
    const { timeline } = this.placer
    for (let i = 0; i < sessions.length; i += 2) {
      timeline.insert(sessions[i]!, sessions[i + 1]!)
      this.owner.fill(j + 1, sessions[i], timeline.occupiedUntil(sessions[i]!, sessions[i + 1]!))
    }
    this.sessions[j] = sessions
  }
}

const inOrderOfStart = (a: readonly Session[], b: readonly Session[]): Session[] => {
  const all: Session[] = []
  let k = 0
  for (const session of a) {
    while (k < b.length && b[k]!.start < session.start) all.push(b[k++]!)
    all.push(session)
  }
  while (k < b.length) all.push(b[k++]!)
  return all
}
