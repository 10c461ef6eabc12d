// The facts that an explanation mentions, counted minute by minute. Uses no code of the planner.
import { factsOf, type TaskFacts } from '../src/checker/facts.ts'
import type { Block, Plan, PlannedBlock, Problem, Task, Window } from '../src/model.ts'

const MINUTE = 60_000
const MARK = 5 * MINUTE
const OFFICE: Window[] = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]
const WEIGHT = { none: 1, low: 2, medium: 4, high: 8, urgent: 16 }

export type JudgedBlock = {
  planned: PlannedBlock
  task: Task
  facts: TaskFacts
  /** Minutes from the start of the plan. */
  start: number
  end: number
  part: number
  parts: number
  /** The first minute that its settings, its predecessors and its previous part allow. */
  ready: number
}

export type Timeline = ReturnType<typeof timelineOf>

export const timelineOf = (problem: Problem, plan: Plan) => {
  const facts = factsOf(problem, plan)
  const t0 = Math.ceil(problem.now / MARK) * MARK
  const size = Math.floor((Math.floor(facts.horizonEnd / MARK) * MARK - t0) / MINUTE)
  const down = (instant: number) => Math.floor((instant - t0) / MINUTE)
  const up = (instant: number) => Math.ceil((instant - t0) / MINUTE)

  const busy = new Uint8Array(size)
  const mark = (minutes: Uint8Array, from: number, until: number, value: number) =>
    minutes.fill(value, Math.max(0, from), Math.max(0, Math.min(size, until)))
  for (const block of facts.kept) mark(busy, down(block.startAt), up(block.endAt), 1)

  const hours = memo((key) => {
    const minutes = new Uint8Array(size)
    for (const [from, until] of facts.clock.openings(JSON.parse(key) as Window[])) {
      mark(minutes, up(from), down(until), 1)
    }
    return minutes
  })
  const hoursOf = (task: Task) => hours(JSON.stringify(task.windows ?? OFFICE))
  const openHours = memo((key) => hours(key).map((open, i) => (busy[i] ? 0 : open)))
  /** The days on which another occurrence of the habit is planned, kept or done. */
  const daysOfOthers = ({ id, recurring }: Task) => {
    const series = (taskId: string | null) => facts.tasks.get(taskId ?? '')?.task.recurring?.series
    const times = [...facts.kept, ...plan.create]
      .filter((block) => block.taskId !== id && series(block.taskId) === recurring?.series)
      .map(({ startAt }) => startAt)
    const done = problem.tasks.flatMap((task) =>
      task.recurring?.series === recurring?.series ? (task.recurring?.doneAt ?? []) : [],
    )
    if (!recurring?.series) return []
    return facts.clock
      .days()
      .filter(([from, until]) => [...times, ...done].some((at) => from <= at && at < until))
  }
  /** Per minute, 1 if a session of the task may be there, given the fixed blocks. */
  const openOf = (task: Task): Uint8Array => {
    const open = openHours(JSON.stringify(task.windows ?? OFFICE))
    const own = facts.tasks.get(task.id)!.kept
    if (own.length === 0 && !task.recurring) return open
    const guarded = open.slice()
    const rest = task.cooldownMinutes
    if (task.recurring) {
      mark(guarded, down(task.recurring.notAfter ?? Infinity), size, 0)
      for (const [from, until] of daysOfOthers(task)) mark(guarded, up(from), up(until), 0)
    }
    for (const block of own) mark(guarded, down(block.startAt) - rest, up(block.endAt) + rest, 0)
    return guarded
  }

  const endOf = (one: TaskFacts) =>
    Math.max(-Infinity, ...[...one.kept, ...one.planned].map((block) => block.endAt))
  const blocks = plan.create
    .map((planned): JudgedBlock => {
      const one = facts.tasks.get(planned.taskId)!
      const at = one.planned.indexOf(planned)
      const before = at > 0 ? up(one.planned[at - 1]!.endAt) + one.task.cooldownMinutes : 0
      const starts = one.task.startAfter === null ? 0 : up(one.task.startAfter)
      const waits = one.waitsFor.map((other) => up(endOf(other)))
      return {
        planned,
        task: one.task,
        facts: one,
        start: down(planned.startAt),
        end: down(planned.endAt),
        part: at + 1,
        parts: one.planned.length,
        ready: Math.max(0, starts, before, ...waits),
      }
    })
    .toSorted((a, b) => a.start - b.start)
  /** Per minute, the index of its block plus one, or 0. */
  const owner = new Int32Array(size)
  for (const [i, { start, end }] of blocks.entries()) owner.fill(i + 1, start, end)

  const goes = new Set(facts.goes)
  return {
    problem,
    plan,
    facts,
    blocks,
    openOf,
    hoursOf,
    endOf,
    up,
    down,
    size,
    said: sayer(facts.clock.zone, problem.now),
    instant: (minute: number) => t0 + minute * MINUTE,
    taskAt: (minute: number) => (owner[minute] ? blocks[owner[minute] - 1]!.task : undefined),
    previous: problem.blocks.filter((block) => goes.has(block.id)),
    /** Caches the tasks in front of a block. */
    fronts: new Map<JudgedBlock, Task[]>(),
  }
}

export const weightOf = (task: Task): number => WEIGHT[task.priority]
const dueOf = (task: Task) => task.dueAt ?? Infinity
export const isSooner = (task: Task, than: Task): boolean =>
  Math.floor(dueOf(task) / MINUTE) < Math.floor(dueOf(than) / MINUTE)
export const isLesser = (task: Task, than: Task): boolean =>
  !isSooner(task, than) && weightOf(task) < weightOf(than)

export const openMinutes = (open: Uint8Array, from: number, until: number): number => {
  let sum = 0
  for (let minute = Math.max(0, from); minute < Math.min(open.length, until); minute++) {
    sum += open[minute]!
  }
  return sum
}

/** The tasks that take open time of the block's task in front of it. */
export const tasksInFront = (timeline: Timeline, block: JudgedBlock): Task[] => {
  const known = timeline.fronts.get(block)
  if (known) return known
  const open = timeline.openOf(block.task)
  const found = new Set<Task>()
  for (let minute = block.ready; minute < block.start; minute++) {
    const task = open[minute] ? timeline.taskAt(minute) : undefined
    if (task && task !== block.task) found.add(task)
  }
  const tasks = [...found]
  timeline.fronts.set(block, tasks)
  return tasks
}

/** The earliest start of the block's session with all other blocks in place. */
export const earliestStart = (timeline: Timeline, block: JudgedBlock): number => {
  const open = timeline.openOf(block.task)
  let run = 0
  for (let minute = block.ready; minute < block.end; minute++) {
    const isFree = open[minute] && (minute >= block.start || !timeline.taskAt(minute))
    run = isFree ? run + 1 : 0
    if (run >= block.end - block.start) return minute - run + 1
  }
  return block.start
}

/** Whether the block's session could start earlier if the other task had no blocks. */
export const isCause = (timeline: Timeline, block: JudgedBlock, other: Task): boolean => {
  const open = timeline.openOf(block.task)
  const isFree = (minute: number) => {
    if (minute < block.ready || minute >= timeline.size || !open[minute]) return false
    const task = timeline.taskAt(minute)
    return !task || task === other || (minute >= block.start && minute < block.end)
  }
  for (const { task, start, end } of timeline.blocks) {
    if (task !== other || start >= block.start) continue
    for (let minute = start; minute < end; minute++) {
      if (!isFree(minute)) continue
      let from = minute
      while (isFree(from - 1)) from--
      let until = minute
      while (isFree(until)) until++
      if (until - from >= block.end - block.start && from < block.start) return true
      minute = until
    }
  }
  return false
}

/** Free stretches of open time in front of the block. */
export const gapsBefore = (timeline: Timeline, block: JudgedBlock): [number, number][] => {
  const open = timeline.openOf(block.task)
  const gaps: [number, number][] = []
  for (let minute = block.ready; minute < block.start; minute++) {
    if (!open[minute] || timeline.taskAt(minute)) continue
    const last = gaps.at(-1)
    if (last?.[1] === minute) last[1]++
    else gaps.push([minute, minute + 1])
  }
  return gaps
}

/** The length of a legal session of at least `least` minutes in the gap, or 0. */
export const legalPiece = (block: JudgedBlock, gap: number, least: number): number => {
  const { task, facts, part } = block
  if (!task.autoSplit) return 0
  const max = task.maxSessionMinutes
  const min = Math.min(task.minSessionMinutes, max)
  const before = facts.planned.slice(0, part - 1)
  const placed = before.reduce((sum, one) => sum + (one.endAt - one.startAt) / MINUTE, 0)
  const need = facts.need - placed
  for (let piece = Math.min(gap, max, need); piece >= Math.max(least, min); piece--) {
    const rest = need - piece
    if (rest === 0 || Math.ceil(rest / max) * min <= rest) return piece
  }
  return 0
}

/** Whether the block has another place before its due date, clear of its present one. */
export const hasOtherPlace = (timeline: Timeline, block: JudgedBlock): boolean => {
  const { facts, task, planned } = block
  const open = timeline.openOf(task)
  const length = block.end - block.start
  const rest = task.cooldownMinutes
  const starts = task.startAfter === null ? 0 : timeline.up(task.startAfter)
  const waits = facts.waitsFor.map((other) => timeline.up(timeline.endOf(other)))
  const successors = [...timeline.facts.tasks.values()].filter((one) =>
    one.waitsFor.includes(facts),
  )
  const followed = successors.flatMap((one) => one.planned.slice(0, 1))
  const until = Math.min(
    timeline.down(task.dueAt ?? Infinity),
    ...followed.map((one) => timeline.down(one.startAt)),
  )
  const others = facts.planned.filter((one) => one !== planned)
  const pauses = others.map((one) => [
    timeline.down(one.startAt) - rest,
    timeline.down(one.endAt) + rest,
  ])
  let run = 0
  for (
    let minute = Math.max(0, starts, ...waits);
    minute < Math.min(until, timeline.size);
    minute++
  ) {
    const isFree = open[minute] && !timeline.taskAt(minute)
    run = isFree && !pauses.some(([from, to]) => minute >= from! && minute < to!) ? run + 1 : 0
    if (run >= length) return true
  }
  return false
}

/** Formats times as `Tue 13:55` in the zone, with a date unless it is one of the next seven days. */
const sayer = (timeZone: string, now: number) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const months = [
    'Jan',
    'Feb',
    'Mar',
    'Apr',
    'May',
    'Jun',
    'Jul',
    'Aug',
    'Sep',
    'Oct',
    'Nov',
    'Dec',
  ]
  const read = memo((key) => {
    const parts: Record<string, string> = {}
    for (const { type, value } of format.formatToParts(Number(key))) parts[type] = value
    const field = (name: string) => Number(parts[name])
    const day = Date.UTC(field('year'), field('month') - 1, field('day')) / 86_400_000
    const month = months[field('month') - 1]!
    return { ...parts, day: String(field('day')), month, dayNumber: day } as Reading
  })
  const of = (instant: number) => read(String(instant))
  const today = of(now)
  return {
    time: (instant: number) => {
      const { weekday, day, month, year, hour, minute, dayNumber } = of(instant)
      const ahead = dayNumber - today.dayNumber
      const date = ahead < 0 || ahead > 6 ? ` ${day} ${month}` : ''
      const inYear = date && year !== today.year ? ` ${year}` : ''
      return `${weekday}${date}${inYear} ${hour}:${minute}`
    },
    clock: (instant: number) => `${of(instant).hour}:${of(instant).minute}`,
    days: (from: number, to: number) => of(to).dayNumber - of(from).dayNumber,
  }
}
type Reading = Record<'weekday' | 'day' | 'month' | 'year' | 'hour' | 'minute', string> & {
  dayNumber: number
}

const memo = <T>(make: (key: string) => T) => {
  const known = new Map<string, T>()
  return (key: string): T => {
    const seen = known.get(key)
    if (seen !== undefined) return seen
    const made = make(key)
    known.set(key, made)
    return made
  }
}

export type Fixed = Block
