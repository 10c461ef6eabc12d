// Lives the four weeks of a person with a planner. The person works along the calendar: some blocks are missed, work
// takes as long as it takes, and what is not done in its time is estimated anew.
import { clockOf } from '../../src/checker/clock.ts'
import type { Block, Plan, Problem, Task } from '../../src/model.ts'
import { newDice } from '../dice.ts'
import { DAYS, MINUTE, type Person } from './person.ts'

/** When the planner runs: on the first morning only, each morning, or also after each event. */
export type Mode = 'once' | 'mornings' | 'events'

export type Life = {
  person: Person
  /** When each task was done; tasks that are not done are missing. */
  done: Map<string, number>
  /** The minutes of work that remain in the end. */
  left: Map<string, number>
  work: { taskId: string; startAt: number; endAt: number }[]
}

export type Replan = {
  person: Person
  isMorning: boolean
  problem: Problem
  plan: Plan
}

export type Options = {
  planner: (problem: Problem) => Plan
  mode: Mode
  /** Plans with the time that the work takes in fact. */
  knowsActual?: boolean
  watch?: (replan: Replan) => void
}

const missedShare = 0.07
/** The person plans before the first working hour. */
const morningMinute = 7 * 60 + 30

/** The block at which the person works, or which is missed. */
type Current = { block: Block; stopAt: number; isMissed: boolean }

type OpenTask = { task: Task; firstEstimate: number; left: number }

export function live(person: Person, options: Options): Life {
  const open = new Map<string, OpenTask>()
  const life: Life = { person, done: new Map(), left: new Map(), work: [] }
  const changed = new Set<string>()
  let freed: { startAt: number; endAt: number }[] = []
  let blocks: Block[] = []
  let current: Current | undefined
  let now = person.midnights[0]!
  let planned = 0
  let lastRunAt: number | null = null

  const events = [
    ...person.midnights.slice(0, DAYS).map((midnight) => ({
      at: midnight + morningMinute * MINUTE,
      run: () => replan(true),
    })),
    ...person.arrivals.map((arrival) => ({ at: arrival.at, run: () => add(arrival) })),
    ...person.meetings.map(({ knownAt, block }) => ({
      at: Math.max(person.midnights[0]!, knownAt),
      run: () => {
        blocks.push(block)
        replanAfterEvent()
      },
    })),
    ...person.drags.map((at) => ({ at, run: drag })),
  ].toSorted((a, b) => a.at - b.at)

  const end = person.midnights[DAYS]!
  for (;;) {
    const [next] = events
    const boundary = current ? current.stopAt : (nextBlock()?.startAt ?? Infinity)
    if (Math.min(next?.at ?? Infinity, boundary) >= end) break
    if (next && next.at < boundary) {
      events.shift()
      now = next.at
      next.run()
    } else {
      now = boundary
      if (current) stop(current)
      else start(nextBlock()!)
    }
  }
  for (const [id, { left }] of open) life.left.set(id, left)
  return life

  function add({ task, actualMinutes }: Person['arrivals'][number]) {
    open.set(task.id, { task, firstEstimate: task.estimateMinutes!, left: actualMinutes })
    changed.add(task.id)
    replanAfterEvent()
  }

  function nextBlock() {
    return blocks
      .filter((block) => isPlanned(block) && block.startAt >= now)
      .reduce<Block | undefined>((a, b) => (a && a.startAt <= b.startAt ? a : b), undefined)
  }

  function start(block: Block) {
    const meeting = meetingDuring(block)
    const isMissed = isAbsent(person, now) || (meeting !== undefined && meeting.startAt <= now)
    if (isMissed) return void (current = { block, stopAt: block.endAt, isMissed })
    const begun: Block = { ...block, status: 'in_progress' }
    replace(block, begun)
    const { left } = open.get(block.taskId!)!
    const stopAt = Math.min(block.endAt, now + left * MINUTE, meeting?.startAt ?? Infinity)
    current = { block: begun, stopAt, isMissed }
  }

  function stop({ block, isMissed }: Current) {
    current = undefined
    const one = open.get(block.taskId!)!
    if (isMissed) remove(block)
    else work(one, block)
    const missed = blocks.filter((other) => isPlanned(other) && other.startAt < now)
    for (const other of missed) remove(other)
    for (const { taskId } of isMissed ? [block, ...missed] : missed) changed.add(taskId!)
    if (one.left < 0.5) complete(one.task.id)
    else if (!extendEstimate(one) && missed.length === 0 && !isMissed) return
    replanAfterEvent()
  }

  function work(one: OpenTask, block: Block) {
    one.left -= (now - block.startAt) / MINUTE
    life.work.push({ taskId: block.taskId!, startAt: block.startAt, endAt: now })
    replace(block, { ...block, status: 'completed', endAt: now })
  }

  function complete(id: string) {
    life.done.set(id, now)
    open.delete(id)
    changed.add(id)
    const ofTask = blocks.filter(({ taskId }) => taskId === id)
    for (const block of ofTask) if (block.startAt >= now) freed.push(block)
    blocks = blocks.filter(({ taskId }) => taskId !== id)
  }

  /** Work that has taken its whole time and is not done needs a quarter more. */
  function extendEstimate(one: OpenTask) {
    const worked = workedMinutes(one.task.id)
    if (worked < one.task.estimateMinutes!) return false
    const more = Math.max(15, Math.round((0.25 * one.firstEstimate) / 5) * 5)
    one.task = { ...one.task, status: 'in_progress', estimateMinutes: Math.ceil(worked) + more }
    changed.add(one.task.id)
    return true
  }

  function workedMinutes(id: string) {
    return blocks
      .filter(({ taskId, status }) => taskId === id && status === 'completed')
      .reduce((sum, { startAt, endAt }) => sum + (endAt - startAt) / MINUTE, 0)
  }

  /** Moves a block of today or tomorrow to another time of these days, where it stays. */
  function drag() {
    const dice = newDice(`${person.name} drags ${now}`)
    const soon = blocks.filter(
      (block) =>
        isPlanned(block) &&
        !block.locked &&
        block.startAt > now &&
        block.startAt < now + 36 * 60 * MINUTE,
    )
    if (soon.length === 0) return
    const block = dice.pick(soon)
    const length = block.endAt - block.startAt
    const { windows } = open.get(block.taskId!)!.task
    const places = clockOf(person.timezone, now)
      .openings(windows!)
      .flatMap(([from, until]) => stepsBetween(Math.max(from, now + 30 * MINUTE), until - length))
      .filter((startAt) => startAt < now + 48 * 60 * MINUTE && isFree(startAt, startAt + length))
    if (places.length === 0) return
    const startAt = dice.pick(places)
    freed.push(block)
    replace(block, { ...block, startAt, endAt: startAt + length, locked: true })
    changed.add(block.taskId!)
    replanAfterEvent()
  }

  function isFree(startAt: number, endAt: number) {
    return !blocks.some(
      (block) =>
        (block.taskId === null || block.locked) && block.startAt < endAt && startAt < block.endAt,
    )
  }

  function meetingDuring({ startAt, endAt }: Block) {
    return blocks
      .filter((block) => block.taskId === null && block.startAt < endAt && startAt < block.endAt)
      .toSorted((a, b) => a.startAt - b.startAt)[0]
  }

  function isPlanned({ taskId, status }: Block) {
    return taskId !== null && status === 'scheduled'
  }

  function remove(block: Block) {
    blocks = blocks.filter(({ id }) => id !== block.id)
  }

  function replace(block: Block, by: Block) {
    blocks = blocks.map((one) => (one.id === block.id ? by : one))
  }

  function replanAfterEvent() {
    if (options.mode === 'events' && planned > 0) replan(false)
  }

  function replan(isMorning: boolean) {
    if (options.mode === 'once' && planned > 0) return
    blocks = blocks.filter(({ taskId, endAt }) => taskId !== null || endAt > now)
    const problem: Problem = {
      now,
      timezone: person.timezone,
      tasks: [...open.values()].map(taskFor),
      blocks: [...blocks],
      dependencies: [],
      ...(planned > 0 && { changed: [...changed], freed, lastRunAt }),
    }
    const plan = options.planner(problem)
    options.watch?.({ person, isMorning, problem, plan })
    const cancelled = new Set(plan.cancel)
    planned++
    blocks = [
      ...blocks.filter(({ id }) => !cancelled.has(id)),
      ...plan.create.map(({ taskId, startAt, endAt, explanation }, i): Block => ({
        id: `planned-${planned}-${i}`,
        taskId,
        type: 'task',
        source: 'auto',
        status: 'scheduled',
        locked: false,
        startAt,
        endAt,
        explanation,
        plannedAt: now,
      })),
    ]
    lastRunAt = now
    changed.clear()
    freed = []
  }

  function taskFor({ task, left }: OpenTask): Task {
    if (!options.knowsActual) return task
    // The block that is under way counts with its whole length, and its work is still part of what is left.
    const running = current?.block.taskId === task.id ? current.block : undefined
    const length = running ? (running.endAt - running.startAt) / MINUTE : 0
    const rest = Math.max(length, Math.ceil(left / 5) * 5)
    return { ...task, estimateMinutes: Math.round(workedMinutes(task.id)) + rest }
  }
}

/** Depends on the hour alone, so that every planner meets the same absences. */
const isAbsent = ({ name }: Person, at: number): boolean =>
  newDice(`${name} is absent ${Math.floor(at / (60 * MINUTE))}`).chance(missedShare)

const stepsBetween = (from: number, until: number): number[] => {
  const step = 15 * MINUTE
  const first = Math.ceil(from / step) * step
  return Array.from(
    { length: Math.max(0, Math.floor((until - first) / step) + 1) },
    (_, i) => first + i * step,
  )
}
