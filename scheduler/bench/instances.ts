// Seeded problems of many kinds, on which the planner is measured. The same seed always gives the
// same problem, since bounds are stored by name: a change here requires new bounds.
import type { Block, Dependency, Priority, Problem, Task, Window } from '../src/model.ts'
import { type Dice, newDice } from './dice.ts'

export type Instance = { name: string; family: string; size: number; problem: Problem }

export const FAMILIES = [
  'light',
  'heavy',
  'over',
  'mixed',
  'release',
  'deps',
  'nonsplit',
  'busy',
] as const
type Family = (typeof FAMILIES)[number]

const MINUTE = 60_000
const DAY = 1440
/** A Monday, midnight, in a zone without clock changes: those are tested elsewhere. */
const MONDAY = Date.parse('2026-03-02T00:00Z')

const OFFICE: Window[] = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6]
const WIDE: Window[] = [{ day: ALL_DAYS, start: '07:00', end: '23:00' }]
const WINDOW_SETS: (Window[] | null)[] = [
  null,
  [{ day: [1, 2, 3, 4, 5], start: '08:00', end: '12:00' }],
  [{ day: ALL_DAYS, start: '18:00', end: '21:00' }],
  [{ day: [0, 6], start: '10:00', end: '16:00' }],
  [
    { day: [2, 4], start: '13:00', end: '18:00' },
    { day: [3], start: '09:00', end: '12:30' },
  ],
]

/** How the kinds of problems differ. */
type Kind = {
  /** The work as a share of the open time. A backlog has a mean estimate instead. */
  load?: number
  meanMinutes?: number
  windows?: Window[]
  mixed?: boolean
  released?: number
  dependent?: number
  unsplittable?: number
  meetings?: number
  /** Due dates are within this many days; work is measured against the open time in them. */
  days: number
  /** Everything is a multiple of this many minutes. */
  grid: number
}

const kindOf = (family: Family, days: number, grid: number): Kind => ({
  load: family === 'light' ? 0.5 : family === 'over' ? 1.5 : 0.9,
  mixed: family === 'mixed',
  released: family === 'release' ? 0.6 : 0,
  dependent: family === 'deps' ? 0.35 : 0,
  unsplittable: family === 'nonsplit' ? 0.6 : 0.1,
  meetings: family === 'busy' ? 0.4 : 0,
  days,
  grid,
})

const BACKLOGS: Record<string, Partial<Kind>> = {
  backlog: {},
  'backlog-mixed': { mixed: true },
  'backlog-release': { released: 0.6 },
  'backlog-deps': { dependent: 0.35 },
  'backlog-nonsplit': { unsplittable: 0.6 },
  'backlog-busy': { meetings: 0.4 },
}

/** 10, 50 or 200 tasks for two weeks. */
export const weeks = (size: number, seeds = 3, from = 0): Instance[] =>
  FAMILIES.flatMap((family) =>
    range(seeds).map((seed) => {
      const name = `${family}-${size}-${from + seed}`
      return build(name, family, size, kindOf(family, 14, size > 100 ? 5 : 15))
    }),
  )

/** More weeks of the same kinds, which were not used to tune the planner. */
export const otherWeeks = (size: number): Instance[] => weeks(size, 3, 3)

/** 8, 12 or 16 tasks for one week, everything in half hours: an exact solver can prove these. */
export const smallWeeks = (sizes = [8, 12, 16], seeds = 2): Instance[] =>
  sizes.flatMap((size) =>
    FAMILIES.flatMap((family) =>
      range(seeds).map((seed) =>
        build(`${family}-${size}-${seed}`, family, size, kindOf(family, 7, 30)),
      ),
    ),
  )

/** 1,000 or 5,000 tasks, eight to forty times what fits; for 1,000 also with wide hours that hold them. */
export const backlogs = (size: number): Instance[] => [
  ...Object.entries(BACKLOGS).map(([family, given]) =>
    build(`${family}-${size}-0`, family, size, { meanMinutes: 40, days: 28, grid: 5, ...given }),
  ),
  ...range(size === 1000 ? 2 : 0).map((seed) =>
    build(`wide-${size}-${seed}`, 'wide', size, { load: 0.95, windows: WIDE, days: 14, grid: 5 }),
  ),
]

export const allInstances = (): Instance[] => [
  ...[10, 50, 200].flatMap((size) => weeks(size)),
  ...[50, 200].flatMap(otherWeeks),
  ...[1000, 5000].flatMap((size) => backlogs(size)),
  ...smallWeeks(),
]

const build = (name: string, family: string, size: number, kind: Kind): Instance => {
  const dice = newDice(name)
  const now = MONDAY + (dice.whole(0, 4) * DAY + dice.whole(14, 26) * 30) * MINUTE
  const open = openTime(now, kind.windows ?? OFFICE, Math.min(kind.days, 14))
  const blocks = kind.meetings ? meetings(dice, open, kind) : []
  const taken = blocks.reduce((sum, block) => sum + (block.endAt - block.startAt) / MINUTE, 0)
  const capacity = open.reduce((sum, [start, end]) => sum + (end - start) / MINUTE, 0) - taken
  const mean = kind.meanMinutes ?? (capacity * (kind.load ?? 1)) / size
  const tasks = range(size).map((i) => task(dice, i, mean, now, kind))
  const dependencies = kind.dependent ? links(dice, tasks, kind.dependent) : []
  return { name, family, size, problem: { now, timezone: 'UTC', tasks, blocks, dependencies } }
}

const task = (dice: Dice, i: number, mean: number, now: number, kind: Kind): Task => {
  const { grid, days } = kind
  const onGrid = (minutes: number) => Math.max(grid, Math.round(minutes / grid) * grid)
  const small = grid === 30
  const priority = dice.weighted<Priority>(
    ['none', 'low', 'medium', 'high', 'urgent'],
    [7, 4, 5, 3, 1],
  )
  // Skewed like real estimates: many short, few long, with the requested mean.
  const estimate = onGrid(mean * (0.25 + 1.5 * dice.next() ** 1.5 * 1.25))
  const autoSplit = !dice.chance(kind.unsplittable ?? 0.1)
  const released = dice.chance(kind.released ?? 0)
  const startAfter = released ? Math.round(dice.next() * days * 0.55 * 48) * 30 : 0
  const overdue = dice.chance(0.06)
  const without = dice.chance(0.22)
  const earliest = Math.max(60, startAfter + Math.min(estimate * 2, DAY))
  const due = overdue
    ? -dice.whole(1, 5 * 48) * 30
    : earliest + Math.round((dice.next() * (days * DAY - earliest)) / 30) * 30
  return {
    id: `task-${String(i).padStart(4, '0')}`,
    title: `Task ${i}`,
    status: dice.weighted(['todo', 'in_progress', 'backlog'], [8, 1, 1]),
    priority,
    autoSchedule: true,
    autoSplit,
    locked: false,
    dueAt: without ? null : now + due * MINUTE,
    startAfter: released ? now + startAfter * MINUTE : null,
    // No window is longer than a working day, so nothing longer fits in one piece.
    estimateMinutes: autoSplit ? estimate : Math.min(estimate, small ? 240 : 360),
    minSessionMinutes: small ? 30 : dice.weighted([5, 15, 30], [3, 3, 2]),
    maxSessionMinutes: dice.weighted([60, 90, 120], [2, 1, 1]),
    cooldownMinutes: small ? dice.weighted([0, 30], [1, 1]) : dice.weighted([0, 5, 15], [1, 2, 1]),
    windows: kind.windows ?? (kind.mixed ? dice.pick(WINDOW_SETS) : null),
  }
}

/** A task may wait for an earlier one in the list, so there are chains but no cycles. */
const links = (dice: Dice, tasks: Task[], share: number): Dependency[] =>
  tasks.flatMap((one, i) =>
    i > 0 && dice.chance(share)
      ? [{ taskId: one.id, dependsOnTaskId: tasks[dice.whole(Math.max(0, i - 12), i - 1)]!.id }]
      : [],
  )

const meetings = (dice: Dice, open: [number, number][], kind: Kind): Block[] => {
  const step = Math.max(15, kind.grid) * MINUTE
  return open.flatMap(([start, end], day) => {
    const taken: [number, number][] = []
    let left = (kind.meetings! * (end - start)) / step
    while (left >= 1) {
      const length = Math.min(left, dice.whole(1, 4)) | 0
      const from =
        start + dice.whole(0, Math.max(0, Math.floor((end - start) / step) - length)) * step
      left -= length
      taken.push([from, Math.min(end, from + length * step)])
    }
    return taken.map(([startAt, endAt], i) => ({
      id: `meeting-${day}-${i}`,
      taskId: null,
      type: 'event',
      source: 'manual',
      status: 'scheduled' as const,
      locked: false,
      startAt,
      endAt,
    }))
  })
}

/** The windows of the next days as instants; one stretch a day is enough here. */
const openTime = (now: number, windows: Window[], days: number): [number, number][] =>
  range(days + 1).flatMap((day) => {
    const midnight = Math.floor(now / (DAY * MINUTE)) * DAY * MINUTE + day * DAY * MINUTE
    const weekday = new Date(midnight).getUTCDay()
    return windows
      .filter((window) => window.day.includes(weekday))
      .map(({ start, end }): [number, number] => [
        Math.max(now, midnight + clock(start) * MINUTE),
        Math.min(now + days * DAY * MINUTE, midnight + clock(end) * MINUTE),
      ])
      .filter(([start, end]) => start < end)
  })

const clock = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
