// Seeded weeks of five kinds of people. Unlike the families of instances.ts they have meetings, due
// dates at the hours that people choose, and mostly the session settings that the contract defaults to.
import type { Block, Dependency, Priority, Problem, Task, Window } from '../src/model.ts'
import { type Dice, newDice } from './dice.ts'
import { type Instance, range } from './instances.ts'

const MINUTE = 60_000
const HORIZON_DAYS = 16
/** The first day of every week: in January none of the zones changes its clocks. */
const MONDAY = Temporal.PlainDate.from('2026-01-12')
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'UTC', 'Asia/Kolkata']

/** A day, counted from the Monday, and a time on it. */
type Clock = readonly [day: number, hour: number, minute?: number]

type Week = {
  dice: Dice
  at: (clock: Clock) => number
  setNow: (clock: Clock) => void
  addTask: (title: string, minutes: number, given?: Partial<Task>) => Task
  /** Its id begins with its kind, so that a lunch break can be distinguished from a meeting. */
  addEvent: (kind: string, clock: Clock, minutes: number) => void
  addDependency: (task: Task, dependsOn: Task) => void
  problem: Problem
}

const newWeek = (name: string): Week => {
  const dice = newDice(name)
  const timezone = dice.pick(ZONES)
  const monday = MONDAY.toZonedDateTime(timezone).epochMilliseconds
  const tasks: Task[] = []
  const blocks: Block[] = []
  const dependencies: Dependency[] = []
  const problem: Problem = { now: monday, timezone, tasks, blocks, dependencies }
  const at = ([day, hour, minute = 0]: Clock) => monday + ((day * 24 + hour) * 60 + minute) * MINUTE
  return {
    dice,
    at,
    setNow: (clock) => {
      problem.now = at(clock)
    },
    addTask: (title, minutes, given = {}) => {
      const task = newTask(dice, tasks.length, title, minutes, given)
      tasks.push(task)
      return task
    },
    addEvent: (kind, clock, minutes) => {
      const startAt = at(clock)
      const endAt = startAt + minutes * MINUTE
      if (endAt <= problem.now) return
      blocks.push(newEvent(`${kind}-${blocks.length}`, startAt, endAt))
    },
    addDependency: (task, dependsOn) => {
      dependencies.push({ taskId: task.id, dependsOnTaskId: dependsOn.id })
    },
    problem,
  }
}

const newTask = (
  dice: Dice,
  number: number,
  title: string,
  minutes: number,
  given: Partial<Task>,
): Task => {
  // Most people never change the session settings.
  const changed = dice.chance(0.3)
  return {
    id: `task-${String(number).padStart(3, '0')}`,
    title,
    status: 'todo',
    priority: 'none',
    autoSchedule: true,
    autoSplit: true,
    locked: false,
    dueAt: null,
    startAfter: null,
    estimateMinutes: minutes,
    minSessionMinutes: changed ? dice.pick([15, 25, 30, 45]) : 5,
    maxSessionMinutes: changed ? dice.pick([50, 90, 120, 180]) : 60,
    cooldownMinutes: changed ? dice.pick([0, 10, 15]) : 5,
    windows: null,
    ...given,
  }
}

const newEvent = (id: string, startAt: number, endAt: number): Block => ({
  id,
  taskId: null,
  type: 'event',
  source: 'manual',
  status: 'scheduled',
  locked: false,
  startAt,
  endAt,
})

const priority = (dice: Dice, urgent = 6): Priority =>
  dice.weighted(['none', 'low', 'medium', 'high', 'urgent'], [30, 18, 28, 18, urgent])

const workdays = range(HORIZON_DAYS).filter((day) => day % 7 < 5)

/** 25 to 60 tasks beside a moderate number of meetings; from half full to a little too much work. */
const knowledgeWorker = (week: Week): void => {
  const { dice, at } = week
  week.setNow([dice.whole(0, 2), dice.pick([7, 8, 9, 11, 14]), dice.pick([0, 10, 35, 50])])
  for (const day of workdays) {
    week.addEvent('standup', [day, 9, 30], 15)
    if (dice.chance(0.8)) {
      const hour = dice.pick([10, 11, 13])
      week.addEvent('meeting', [day, hour, dice.pick([0, 30])], dice.pick([30, 45, 60]))
    }
    if (dice.chance(0.55)) {
      const hour = dice.pick([14, 15])
      week.addEvent('meeting', [day, hour, dice.pick([0, 30])], dice.pick([30, 60, 60, 90]))
    }
    if (dice.chance(0.6)) week.addEvent('lunch', [day, 12, dice.pick([0, 30])], 45)
  }
  const load = 0.45 + 0.7 * dice.next()
  const sizes = range(dice.whole(25, 60)).map(() =>
    dice.weighted(
      [15, 30, 45, 60, 90, 120, 180, 240, 360, 480],
      [14, 24, 10, 20, 10, 10, 5, 4, 2, 1],
    ),
  )
  // About 56 hours remain beside the meetings.
  const scale = (load * 56 * 60) / sizes.reduce((sum, size) => sum + size, 0)
  const tasks = sizes.map((size, i) => {
    const minutes = Math.max(15, Math.min(960, Math.round((size * scale) / 15) * 15))
    const dueDay = dice.weighted(
      [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 15, 18],
      [3, 8, 9, 10, 22, 8, 7, 7, 6, 14, 4, 4],
    )
    const dueHour = dice.weighted([12, 17, 18, 23], [2, 8, 1, 2])
    return week.addTask(`Paper ${i}`, minutes, {
      priority: priority(dice),
      dueAt: dice.chance(0.3) ? null : at([dueDay, dueHour]),
      autoSplit: !(minutes <= 120 && dice.chance(0.12)),
      startAfter: dice.chance(0.1) ? at([dice.whole(1, 6), 9]) : null,
    })
  })
  for (const _ of range(dice.whole(1, 4))) {
    const drawn = range(dice.whole(2, 3)).map(() => dice.whole(0, tasks.length - 1))
    const chain = [...new Set(drawn)].toSorted((a, b) => a - b)
    for (const [i, j] of chain.entries()) {
      if (i > 0) week.addDependency(tasks[j]!, tasks[chain[i - 1]!]!)
    }
  }
}

/** Few long tasks, lectures in the daytime, and two sets of windows. */
const student = (week: Week): void => {
  const { dice, at } = week
  const daytime: Window[] = [
    { day: [1, 2, 3, 4, 5], start: '10:00', end: '21:00' },
    { day: [0, 6], start: '11:00', end: '18:00' },
  ]
  const evening: Window[] = [{ day: [0, 1, 2, 3, 4], start: '17:00', end: '22:30' }]
  week.setNow([dice.whole(0, 4), dice.pick([8, 12, 17, 20]), dice.pick([0, 20, 45])])
  for (const day of workdays) {
    for (const hour of [10, 12, 14]) {
      if (dice.chance(0.55)) week.addEvent('lecture', [day, hour], 90)
    }
    if (dice.chance(0.3)) week.addEvent('sport', [day, 18], 120)
  }
  const sizes = {
    Reading: [45, 60, 90, 120],
    'Problem set': [120, 180, 240],
    Essay: [300, 480, 600],
    Exam: [480, 720, 900],
    Form: [10, 15, 20, 30],
  }
  for (const i of range(dice.whole(14, 30))) {
    const kind = dice.weighted(
      ['Reading', 'Problem set', 'Essay', 'Exam', 'Form'] as const,
      [5, 4, 2, 1, 3],
    )
    const dueDay = dice.weighted([1, 2, 3, 4, 6, 8, 9, 11, 13, 16], [2, 3, 3, 5, 6, 3, 3, 5, 5, 2])
    const dueHour = dice.weighted([23, 9, 12], [6, 2, 1])
    const sessions = {
      minSessionMinutes: 25,
      maxSessionMinutes: dice.pick([50, 90, 120]),
      cooldownMinutes: 10,
    }
    week.addTask(`${kind} ${i}`, dice.pick(sizes[kind]), {
      priority: priority(dice),
      dueAt: dice.chance(0.15) ? null : at([dueDay, dueHour]),
      windows: dice.chance(0.75) ? daytime : evening,
      ...(dice.chance(0.5) ? sessions : {}),
    })
  }
}

/** Small tasks and two hours in the evening, or Saturday morning. */
const parent = (week: Week): void => {
  const { dice, at } = week
  const evenings: Window[] = [
    { day: [1, 2, 3, 4], start: '20:00', end: '22:00' },
    { day: [0, 6], start: '13:00', end: '15:00' },
  ]
  const weekend: Window[] = [
    { day: [6], start: '09:00', end: '12:00' },
    { day: [0, 6], start: '13:00', end: '15:00' },
  ]
  week.setNow([dice.whole(0, 6), dice.pick([7, 13, 19, 20]), dice.pick([0, 15, 40])])
  for (const day of range(HORIZON_DAYS)) {
    if (dice.chance(0.2)) week.addEvent('call', [day, 20, dice.pick([0, 30])], 60)
    if (day % 7 === 5 && dice.chance(0.4)) week.addEvent('birthday', [day, 13], 120)
  }
  for (const i of range(dice.whole(12, 26))) {
    const minutes = dice.weighted(
      [10, 15, 20, 30, 45, 60, 90, 120, 240],
      [3, 4, 3, 6, 3, 5, 3, 2, 1],
    )
    const due = at([dice.whole(0, 15), dice.weighted([23, 12, 17], [5, 1, 2])])
    week.addTask(`Errand ${i}`, minutes, {
      priority: priority(dice, 5),
      dueAt: dice.chance(0.5) ? null : due,
      windows: dice.chance(0.8) ? evenings : weekend,
      autoSplit: !dice.chance(0.2),
    })
  }
}

/** Four clients with chains of tasks, two of them on certain days only, and other small tasks. */
const freelancer = (week: Week): void => {
  const { dice, at } = week
  const any: Window[] = [{ day: [1, 2, 3, 4, 5], start: '08:30', end: '18:30' }]
  const some: Window[] = [{ day: [1, 3], start: '09:00', end: '17:00' }]
  const others: Window[] = [{ day: [2, 4, 5], start: '09:00', end: '18:00' }]
  week.setNow([dice.whole(0, 3), dice.pick([7, 9, 10, 13]), dice.pick([0, 5, 30, 50])])
  for (const day of workdays) {
    if (dice.chance(0.35)) {
      const hour = dice.pick([9, 10, 14, 16])
      week.addEvent('call', [day, hour, dice.pick([0, 30])], dice.pick([30, 60]))
    }
    if (dice.chance(0.5)) week.addEvent('lunch', [day, 12, 30], 45)
  }
  for (const [client, windows] of [any, any, some, others].entries()) {
    for (const project of range(dice.whole(1, 2))) {
      const due = at([dice.pick([2, 4, 7, 9, 11, 11, 14]), 17])
      const last = dice.whole(2, 5) - 1
      const weight = priority(dice, 8)
      let before: Task | undefined
      for (const step of range(last + 1)) {
        const minutes = dice.pick([60, 90, 120, 180, 240, 360, 480])
        const task = week.addTask(`Client ${client}, ${project}.${step}`, minutes, {
          priority: weight,
          dueAt: step === last || dice.chance(0.3) ? due : null,
          windows,
          minSessionMinutes: dice.pick([5, 30, 30, 60]),
          maxSessionMinutes: dice.pick([60, 120, 180]),
          cooldownMinutes: dice.pick([0, 5, 10, 15]),
        })
        if (before && dice.chance(0.85)) week.addDependency(task, before)
        before = task
      }
    }
  }
  for (const i of range(dice.whole(6, 14))) {
    week.addTask(`Office ${i}`, dice.pick([15, 15, 30, 30, 45, 60]), {
      priority: priority(dice),
      dueAt: dice.chance(0.5) ? at([dice.whole(0, 13), 17]) : null,
      windows: any,
      autoSplit: !dice.chance(0.3),
    })
  }
}

/** Meetings for about 60 % of the day with short gaps between them, and small tasks. */
const manager = (week: Week): void => {
  const { dice, at } = week
  week.setNow([dice.whole(0, 2), dice.pick([7, 8, 8, 13]), dice.pick([0, 30, 40])])
  for (const day of workdays) {
    let minute = 9 * 60
    while (minute < 17 * 60) {
      minute += dice.weighted([0, 15, 30, 60, 90], [4, 2, 5, 2, 1])
      const length = dice.weighted([30, 45, 60, 90], [6, 1, 6, 1])
      if (minute + length > 17 * 60) break
      if (dice.chance(0.86)) week.addEvent('meeting', [day, 0, minute], length)
      minute += length
    }
  }
  for (const i of range(dice.whole(18, 40))) {
    const minutes = dice.weighted([15, 30, 45, 60, 90, 120, 240], [9, 10, 4, 5, 2, 2, 1])
    const dueDay = dice.weighted([0, 1, 2, 3, 4, 7, 8, 9, 10, 11], [3, 6, 6, 6, 12, 4, 4, 4, 3, 6])
    const due = at([dueDay, dice.weighted([12, 17], [2, 8])])
    week.addTask(`Topic ${i}`, minutes, {
      priority: priority(dice, 10),
      dueAt: dice.chance(0.35) ? null : due,
    })
  }
}

const PERSONAS: Record<string, (week: Week) => void> = {
  'knowledge-worker': knowledgeWorker,
  student,
  parent,
  freelancer,
  manager,
}

/** This many weeks of each kind of person; the kind is the family. */
export const people = (seeds = 6, from = 0): Instance[] =>
  Object.entries(PERSONAS).flatMap(([family, fill]) =>
    range(seeds).map((seed) => {
      const name = `${family}-${from + seed}`
      const week = newWeek(name)
      fill(week)
      return { name, family, size: week.problem.tasks.length, problem: week.problem }
    }),
  )

/** More weeks of the same kinds, which were not used to tune the planner. */
export const otherPeople = (): Instance[] => people(6, 6)
