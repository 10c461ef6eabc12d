// Measures how often stated chances come true: people with known estimation errors execute their plans minute by
// minute, in code that is independent of the simulation.
import { clockOf } from '../src/checker/clock.ts'
import { chancesOf, plan } from '../src/index.ts'
import type { Plan, Problem, Window } from '../src/model.ts'
import { type Dice, newDice } from './dice.ts'
import { people } from './people.ts'

const MINUTE = 60_000
const DEFAULT_WINDOWS: Window[] = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]

const normal = ({ next }: Dice) =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())

/** Ratios of actual to estimated time, of different shapes. */
export const SHAPES: Record<string, (dice: Dice) => number> = {
  'a little optimistic': (dice) => 1.1 * Math.exp(0.35 * normal(dice)),
  'very optimistic, wide': (dice) => 1.4 * Math.exp(0.6 * normal(dice)),
  precise: (dice) => Math.exp(0.1 * normal(dice)),
  'right or twice as long': (dice) =>
    (dice.chance(0.7) ? 0.9 : 2.1) * Math.exp(0.08 * normal(dice)),
  uniform: (dice) => 0.5 + 1.2 * dice.next(),
  'skewed to the right': (dice) =>
    0.3 - 0.4 * (Math.log(1 - dice.next()) + Math.log(1 - dice.next())),
  pessimistic: (dice) => 0.7 * Math.exp(0.25 * normal(dice)),
}

/** The stated chances between `from` and `until`, and how often they came true. */
export type Bin = { from: number; until: number; stated: number; met: number; count: number }

type Question = {
  /** How many tasks each person has completed before. */
  completed: number
  /** The number of people per week, and how many times each of them lives it. */
  persons: number
  lives: number
}

export const calibrate = (shape: string, question: Question, bins: Bin[]): void => {
  const { completed, persons, lives } = question
  const draw = SHAPES[shape]!
  for (const { problem, made, name, execute } of plannedWeeks()) {
    for (let person = 0; person < persons; person++) {
      const dice = newDice(`${shape} ${name} ${completed} ${person}`)
      const ratios = Array.from({ length: completed }, () => draw(dice))
      const chances = chancesOf(problem, made, ratios)
      for (let life = 0; life < lives; life++) {
        const done = execute((estimate) => estimate * draw(dice))
        for (const { taskId, dueAt, chance } of chances) {
          const bin = bins.find(({ from, until }) => chance >= from && chance < until)
          if (!bin) continue
          bin.count++
          bin.stated += chance
          if ((done.get(taskId) ?? Infinity) <= dueAt) bin.met++
        }
      }
    }
  }
}

export const newBins = (): Bin[] =>
  [
    [0.4, 0.6],
    [0.75, 0.85],
    [0.92, 0.98],
  ].map(([from, until]) => ({ from: from!, until: until!, stated: 0, met: 0, count: 0 }))

type PlannedWeek = {
  name: string
  problem: Problem
  made: Plan
  execute: ReturnType<typeof executor>
}
let weeks: PlannedWeek[] | undefined
const plannedWeeks = () =>
  (weeks ??= people(6).map(({ name, problem }) => {
    const made = plan(problem)
    return { name, problem, made, execute: executor(problem, made) }
  }))

/** Executes a plan: each minute goes to the first session that has begun, is within its windows and may start.
 *  The last session of a task that is fully planned continues until the task is done. */
const executor = (problem: Problem, made: Plan) => {
  const clock = clockOf(problem.timezone, problem.now)
  const tasks = new Map(problem.tasks.map((task) => [task.id, task]))
  const left = new Set(made.unscheduled.map(({ taskId }) => taskId))
  const sessions = made.create.toSorted((a, b) => a.startAt - b.startAt)
  const isLast = sessions.map(
    ({ taskId }, i) => !left.has(taskId) && !sessions.slice(i + 1).some((b) => b.taskId === taskId),
  )
  const end = clock.fourteenDaysOn(problem.now)
  const mark = Math.ceil(problem.now / (5 * MINUTE)) * 5 * MINUTE
  const keyOf = (taskId: string) => JSON.stringify(tasks.get(taskId)!.windows)
  const sets = [...new Set(sessions.map(({ taskId }) => keyOf(taskId)))]
  const openings = sets.map((key) =>
    clock.openings((JSON.parse(key) as Window[] | null) ?? DEFAULT_WINDOWS),
  )
  const set = sessions.map(({ taskId }) => sets.indexOf(keyOf(taskId)))
  const minutes: { at: number; open: boolean[] }[] = []
  for (let at = mark; at < end; at += MINUTE) {
    if (problem.blocks.some(({ startAt, endAt }) => startAt < at + MINUTE && endAt > at)) continue
    const open = openings.map((spans) =>
      spans.some(([from, until]) => from <= at && until >= at + MINUTE),
    )
    if (open.includes(true)) minutes.push({ at, open })
  }
  const waitsFor = sessions.map(({ taskId }) =>
    problem.dependencies
      .filter((link) => link.taskId === taskId)
      .map((link) => link.dependsOnTaskId),
  )
  return (draw: (estimate: number) => number): Map<string, number> => {
    const work = new Map<string, number>()
    for (const { taskId } of sessions) {
      if (!work.has(taskId)) work.set(taskId, draw(tasks.get(taskId)!.estimateMinutes!))
    }
    const rest = sessions.map(({ startAt, endAt }, i) =>
      isLast[i] ? Infinity : (endAt - startAt) / MINUTE,
    )
    const done = new Map<string, number>()
    let first = 0
    for (const { at, open } of minutes) {
      let room = 1
      const isOver = (i: number) => done.has(sessions[i]!.taskId) || rest[i]! <= 0
      while (first < sessions.length && isOver(first)) first++
      for (let i = first; i < sessions.length && room > 0; i++) {
        const { taskId, startAt } = sessions[i]!
        if (startAt > at) break
        if (isOver(i) || !open[set[i]!]) continue
        if (waitsFor[i]!.some((other) => work.has(other) && !done.has(other))) continue
        const spent = Math.min(room, rest[i]!, work.get(taskId)!)
        room -= spent
        rest[i]! -= spent
        const still = work.get(taskId)! - spent
        work.set(taskId, still)
        if (still <= 1e-9) done.set(taskId, at + (1 - room) * MINUTE)
      }
    }
    return done
  }
}
