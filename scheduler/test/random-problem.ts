// Small, difficult problems by seed: the same seed gives the same problem.
import { randomFrom } from '../src/local-search/random.ts'
import type {
  Block,
  Dependency,
  Preferences,
  Priority,
  Problem,
  Task,
  Window,
} from '../src/model.ts'
import { ALWAYS, aTask } from './problem.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

const PRIORITIES: Priority[] = ['none', 'low', 'medium', 'high', 'urgent']
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Havana',
  'Asia/Kathmandu',
  'America/St_Johns',
  'No/Such_Zone',
]

const diceFrom = (seed: number) => {
  const random = randomFrom(seed)
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  return {
    chance: (share: number) => random() < share,
    whole,
    pick: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)]!,
  }
}

const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** A random problem with some blocks that were completed early. Half of the problems have preferences. */
export const randomDemandingProblem = (seed: number): Problem => {
  const problem = randomProblem(seed)
  const { chance, whole } = diceFrom(seed * 40_503)
  const blocks = problem.blocks.map((block) =>
    block.status === 'completed' && chance(0.5)
      ? { ...block, busyUntil: block.startAt + whole(-60, 60) * 60_000 + whole(0, 59_999) }
      : block,
  )
  return chance(0.5)
    ? { ...problem, blocks, preferences: randomPreferences(seed) }
    : { ...problem, blocks }
}

const randomPreferences = (seed: number): Preferences => {
  const { chance, whole, pick } = diceFrom(seed * 69_069)
  const span = (length: number) => {
    const from = chance(0.5) ? whole(500, 800) : whole(0, 1300)
    return { from: time(from), to: time(Math.min(1439, from + whole(1, length))) }
  }
  return {
    ...(chance(0.4) && { lunch: { ...span(240), minutes: whole(10, 90) } }),
    ...(chance(0.3) && { breaks: { afterMinutes: pick([25, 45, 60]), minutes: whole(1, 30) } }),
    ...(chance(0.3) && { dailyLimitMinutes: pick([0, 30, 60, 120, 240, 480]) }),
    ...(chance(0.3) && { keepFreePercent: pick([0, 10, 15, 50, 100]) }),
    ...(chance(0.3) && { bufferMinutes: whole(0, 30) }),
    ...(chance(0.3) && { focusHours: span(300) }),
    ...(chance(0.3) && { deepWorkUntil: time(whole(0, 1439)) }),
  }
}

export const randomProblem = (seed: number): Problem => {
  const { chance, whole, pick } = diceFrom(seed * 2_654_435_761)

  // Around the clock changes in spring and autumn, and at other times.
  const base = pick(['2026-03-01', '2026-03-22', '2026-10-20', '2026-06-10', '2026-10-30'])
  const odd = chance(0.5) ? whole(0, 59_999) : 0
  const now = Date.parse(`${base}T00:00Z`) + whole(0, 1440) * MINUTE + odd

  const windows = (): Window[] | null => {
    if (chance(0.35)) return null
    if (chance(0.25)) return ALWAYS
    if (chance(0.05)) return []
    return Array.from({ length: whole(1, 3) }, () => {
      const start = whole(0, 1400)
      return {
        day: Array.from({ length: whole(1, 5) }, () => whole(0, 6)),
        start: time(start),
        end: time(Math.min(1439, start + whole(1, chance(0.5) ? 90 : 600))),
      }
    })
  }
  // A few shared sets, so that tasks compete.
  const sets = Array.from({ length: whole(1, 3) }, windows)

  const count = chance(0.1) ? whole(10, 30) : whole(1, 9)
  const ids = Array.from({ length: count }, (_, i) => `t${whole(100, 999)}-${i}`)
  const big = chance(0.3) ? 960 : 200
  const tasks = ids.map((id): Task =>
    aTask(id, {
      status: chance(0.1)
        ? pick(['completed', 'cancelled', 'archived'] as const)
        : pick(['backlog', 'todo', 'in_progress'] as const),
      priority: pick(PRIORITIES),
      autoSchedule: !chance(0.08),
      autoSplit: !chance(0.25),
      locked: chance(0.08),
      dueAt: chance(0.3) ? null : now + whole(-3 * 1440, 16 * 1440) * MINUTE + whole(0, odd),
      startAfter: chance(0.7) ? null : now + whole(-1440, 15 * 1440) * MINUTE + whole(0, odd),
      estimateMinutes: chance(0.05) ? null : whole(0, big),
      minSessionMinutes: chance(0.5) ? pick([5, 15, 30]) : whole(1, 60),
      maxSessionMinutes: chance(0.5) ? pick([60, 90, 120]) : whole(1, chance(0.5) ? 60 : 480),
      cooldownMinutes: chance(0.5) ? 5 : pick([0, 1, 17, 60, 1000]),
      windows: pick(sets),
    }),
  )

  const blocks = Array.from({ length: chance(0.5) ? 0 : whole(1, 12) }, (_, i): Block => {
    const startAt =
      now + whole(-2 * 1440, 15 * 1440) * MINUTE + (chance(0.2) ? whole(-odd, odd) : 0)
    const long = chance(0.1) ? 1440 : 120
    return {
      id: `b${whole(100, 999)}-${i}`,
      taskId: chance(0.25) ? null : pick(ids),
      type: chance(0.9) ? 'task' : 'event',
      source: chance(0.6) ? 'auto' : 'manual',
      status: chance(0.8) ? 'scheduled' : pick(['in_progress', 'completed'] as const),
      locked: chance(0.15),
      startAt,
      endAt: startAt + whole(1, long) * MINUTE + (chance(0.1) ? odd : 0),
    }
  })

  const links = chance(0.5) ? 0 : whole(1, count)
  const dependencies = Array.from({ length: links }, (): Dependency => {
    // Mostly without cycles; the service refuses them, but the planner must not hang.
    const a = whole(0, count - 1)
    const b = whole(0, count - 1)
    const [first, second] = chance(0.9) ? [Math.min(a, b), Math.max(a, b)] : [a, b]
    return { taskId: ids[second]!, dependsOnTaskId: ids[first]! }
  })

  return { now, timezone: pick(ZONES), tasks, blocks, dependencies }
}

/** The problem with its rows in another order. */
export const shuffled = (problem: Problem, seed: number): Problem => {
  const random = randomFrom(seed)
  const mixed = <T>(rows: T[]) =>
    rows
      .map((row) => ({ row, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ row }) => row)
  return {
    ...problem,
    tasks: mixed(problem.tasks),
    blocks: mixed(problem.blocks),
    dependencies: mixed(problem.dependencies),
  }
}

export const days = (count: number): number => count * DAY
