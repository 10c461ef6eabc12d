// What a user notices in a plan, day by day: task switches, short blocks, no room for lunch.
import type { Plan, Problem, Task } from '../src/model.ts'

const MINUTE = 60_000
/** Only the next week is judged: later days change before they arrive. */
const DAYS = 7
const SHORT_MINUTES = 15
/** Half an hour between 11:30 and 14:00, in minutes of the day. */
const LUNCH = { from: 690, until: 840, minutes: 30 }

export type DayQuality = {
  /** Days with planned work. */
  days: number
  switches: number
  /** Switches to a task that was left earlier on the same day. */
  needlessSwitches: number
  /** Two blocks of one task with one block of another task between them. */
  interruptions: number
  /** Blocks of less than 15 minutes, of tasks that take longer. */
  shortBlocks: number
  /** Blocks of the whole plan, and the fewest that the longest sessions allow. */
  parts: number
  fewestParts: number
  /** Days with something both before and after noon, and those of them without room for lunch. */
  lunchDays: number
  lunchlessDays: number
  atRisk: number
}

type Entry = { task: Task | null; isLunch: boolean; start: number; end: number }

export const dayQuality = (problem: Problem, plan: Plan): DayQuality => {
  const entries = calendar(problem, plan)
  const quality: DayQuality = {
    days: 0,
    switches: 0,
    needlessSwitches: 0,
    interruptions: 0,
    shortBlocks: 0,
    ...partsOf(entries),
    lunchDays: 0,
    lunchlessDays: 0,
    atRisk: plan.atRisk.length,
  }
  const today = Temporal.Instant.fromEpochMilliseconds(problem.now)
    .toZonedDateTimeISO(plan.timezone)
    .startOfDay()
  for (let day = 0; day < DAYS; day++) {
    const from = today.add({ days: day }).epochMilliseconds
    const until = today.add({ days: day + 1 }).epochMilliseconds
    const ofDay = entries.filter(({ start }) => start >= from && start < until)
    if (ofDay.some(({ task }) => task)) countDay(quality, ofDay, from)
  }
  return quality
}

/** All blocks once the plan is in the calendar, in order of start. */
const calendar = (problem: Problem, plan: Plan): Entry[] => {
  const tasks = new Map(problem.tasks.map((task) => [task.id, task]))
  const kept = problem.blocks.filter(({ id }) => !plan.cancel.includes(id))
  return [
    ...plan.create.map((block) => ({ ...block, id: '' })),
    ...kept.filter(({ endAt }) => endAt > problem.now),
  ]
    .map(({ id, taskId, startAt, endAt }) => ({
      task: tasks.get(taskId ?? '') ?? null,
      isLunch: id.startsWith('lunch'),
      start: startAt,
      end: endAt,
    }))
    .toSorted((a, b) => a.start - b.start)
}

const partsOf = (entries: readonly Entry[]): { parts: number; fewestParts: number } => {
  const minutes = new Map<Task, number>()
  let parts = 0
  for (const { task, start, end } of entries) {
    if (!task) continue
    parts++
    minutes.set(task, (minutes.get(task) ?? 0) + (end - start) / MINUTE)
  }
  let fewestParts = 0
  for (const [task, placed] of minutes) {
    fewestParts += task.autoSplit ? Math.ceil(placed / task.maxSessionMinutes) : 1
  }
  return { parts, fewestParts }
}

const countDay = (quality: DayQuality, entries: readonly Entry[], midnight: number): void => {
  const work = entries.filter(({ task }) => task)
  const tasks = new Set(work.map(({ task }) => task))
  quality.days++
  let switches = 0
  for (const [i, { task, start, end }] of work.entries()) {
    const isSwitch = i > 0 && work[i - 1]!.task !== task
    if (isSwitch) switches++
    if (isSwitch && work[i - 2]?.task === task) quality.interruptions++
    const isLonger = task!.estimateMinutes! >= SHORT_MINUTES
    if (isLonger && (end - start) / MINUTE < SHORT_MINUTES) quality.shortBlocks++
  }
  quality.switches += switches
  quality.needlessSwitches += switches - (tasks.size - 1)
  const from = midnight + LUNCH.from * MINUTE
  const until = midnight + LUNCH.until * MINUTE
  const room = LUNCH.minutes * MINUTE
  const isLunchDay =
    entries.some(({ start }) => start < from + room) &&
    entries.some(({ end }) => end > until - room)
  if (!isLunchDay) return
  quality.lunchDays++
  if (longestFree(entries, from, until) < room) quality.lunchlessDays++
}

/** The longest time between the two instants without an entry other than lunch. */
const longestFree = (entries: readonly Entry[], from: number, until: number): number => {
  let longest = 0
  let free = from
  for (const { start, end, isLunch } of entries) {
    if (isLunch || end <= from || start >= until) continue
    longest = Math.max(longest, start - free)
    free = Math.max(free, end)
  }
  return Math.max(longest, until - free)
}

/** The figures of several weeks: switches and interruptions per day, short blocks per week. */
export const summaryOf = (weeks: readonly DayQuality[]) => {
  const sum = (key: keyof DayQuality) => weeks.reduce((total, week) => total + week[key], 0)
  const days = Math.max(1, sum('days'))
  return {
    switchesADay: sum('switches') / days,
    needlessSwitchesADay: sum('needlessSwitches') / days,
    interruptionsADay: sum('interruptions') / days,
    shortBlocksAWeek: sum('shortBlocks') / Math.max(1, weeks.length),
    partsOverFewest: sum('parts') / Math.max(1, sum('fewestParts')),
    lunchlessShare: sum('lunchlessDays') / Math.max(1, sum('lunchDays')),
    atRisk: sum('atRisk'),
  }
}
