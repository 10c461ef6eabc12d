// Finds slots for an appointment. For each, the problem is planned again with the slot taken, to show the
// effect.
import type { Block, Problem, Window } from '../model.ts'
import { compile, type Compiled } from '../problem/compile.ts'
import { clip, intersect, pairsOf, subtract, union } from '../problem/intervals.ts'
import { WEIGHT } from '../problem/weights.ts'
import { calendar, DEFAULT_WINDOWS, windowExpander } from '../problem/windows.ts'
import { plan } from '../solve/plan.ts'
import { carryOut, type Effect, effectOf, type Planned } from './effect.ts'
import { maxPlans } from './effort.ts'

const MINUTE = 60_000
/** Slots begin on quarters of an hour. */
const STEP = 15 * MINUTE
const MAX_A_DAY = 2
/** The cost of a minute is multiplied by this if its task ends shortly before its due date. */
const DEFENDED_FACTOR = 8

export type SlotRequest = {
  minutes: number
  /** The slot lies between these instants, and within the horizon. */
  from?: number
  until?: number
  /** The weekly windows that the slot may lie in; by default, those of the tasks. */
  windows?: Window[]
  /** How many slots are wanted, at most 8. */
  count?: number
}

export type Slot = { startAt: number; endAt: number; effect: Effect }

/** The best slots, best first: by lateness, left-over work, number of moved blocks, and start. */
export const findMeetingSlots = (
  problem: Problem,
  request: SlotRequest,
): { timezone: string; slots: Slot[] } => {
  const present = plan(problem)
  const settled = carryOut(problem, present)
  const before: Planned = { problem: settled, plan: { ...present, create: [], cancel: [] } }
  const isLess = (a: number[], b: number[]) => {
    const at = a.findIndex((value, i) => value !== b[i])
    return at < 0 ? 0 : a[at]! - b[at]!
  }
  const slots = candidatesFor(settled, request)
    .map(({ startAt, endAt }) => {
      const changed = withAppointment(settled, startAt, endAt)
      const made = plan(changed)
      const effect = effectOf(before, { problem: changed, plan: made })
      const rank = [made.cost.lateness, made.cost.leftOver, effect.moves.length, startAt]
      return { slot: { startAt, endAt, effect }, rank }
    })
    .toSorted((a, b) => isLess(a.rank, b.rank))
    .slice(0, request.count ?? 3)
    .map(({ slot }) => slot)
  return { timezone: present.timezone, slots }
}

/** The problem after the appointment was added by hand. `changed` is then unknown. */
export const withAppointment = (problem: Problem, startAt: number, endAt: number): Problem => {
  const appointment: Block = {
    id: 'appointment',
    taskId: null,
    type: 'event',
    source: 'manual',
    status: 'scheduled',
    locked: false,
    startAt,
    endAt,
  }
  const { changed: _, ...rest } = problem
  return { ...rest, blocks: [...problem.blocks, appointment] }
}

type Candidate = { startAt: number; endAt: number; loss: number }

/** A few slots that do not overlap, those with the lowest estimated loss first. */
const candidatesFor = (problem: Problem, request: SlotRequest): Candidate[] => {
  const compiled = compile(problem)
  const all = slotsIn(compiled, request).toSorted(
    (a, b) => a.loss - b.loss || a.startAt - b.startAt,
  )
  const dayOf = ({ startAt }: Candidate) =>
    Temporal.Instant.fromEpochMilliseconds(startAt)
      .toZonedDateTimeISO(compiled.timezone)
      .toPlainDate()
      .toString()
  const most = maxPlans(compiled.tasks.length)
  const days = new Map<string, number>()
  const chosen: Candidate[] = []
  // First takes a few slots per day, so that there is a choice of days; then any slots.
  for (const limit of [MAX_A_DAY, Infinity]) {
    for (const slot of all) {
      if (chosen.length === most) break
      const overlaps = chosen.some(
        (other) => slot.startAt < other.endAt && other.startAt < slot.endAt,
      )
      if (overlaps) continue
      const day = dayOf(slot)
      const count = days.get(day) ?? 0
      if (count >= limit) continue
      days.set(day, count + 1)
      chosen.push(slot)
    }
  }
  return chosen
}

/** All slots that do not overlap a kept block or lunch, with an estimate of their cost. */
const slotsIn = (
  compiled: Compiled,
  { minutes, from, until, windows }: SlotRequest,
): Candidate[] => {
  const { t0, horizon, horizonEnd, busy, lunch } = compiled
  const first = Math.max(t0, from ?? t0)
  const last = Math.min(horizonEnd, until ?? horizonEnd)
  const minute = (instant: number) => (instant - t0) / MINUTE
  const range = union(clip([[Math.ceil(minute(first)), Math.floor(minute(last))]], 0, horizon))
  const taken = union([...pairsOf(busy), ...pairsOf(lunch)])
  const free = subtract(intersect(hoursOf(compiled, windows), range), taken)
  const blocks = movableBlocks(compiled)
  return pairsOf(free).flatMap(([start, end]) => {
    const slots: Candidate[] = []
    const opening = Math.ceil((t0 + start * MINUTE) / STEP) * STEP
    for (let startAt = opening; startAt + minutes * MINUTE <= t0 + end * MINUTE; startAt += STEP) {
      const endAt = startAt + minutes * MINUTE
      slots.push({ startAt, endAt, loss: lossIn(blocks, minute(startAt), minute(endAt)) })
    }
    return slots
  })
}

const hoursOf = ({ classes, timezone, t0, horizon }: Compiled, windows: Window[] | undefined) => {
  if (!windows && classes.length > 0) {
    return union(classes.flatMap((each) => pairsOf(each.windows)))
  }
  const days = calendar(timezone, t0, t0 + horizon * MINUTE)
  return windowExpander(days, t0, horizon)(windows ?? DEFAULT_WINDOWS)
}

/** The planner's blocks in order of time, with the cost of losing a minute of each. */
const movableBlocks = ({ previous, tasks, due, need }: Compiled) =>
  previous
    .flatMap((pairs, j) => {
      const last = pairs.at(-1) ?? 0
      // Nearly no time is left between the end of the work and its due date.
      const isTight = last <= due[j]! && due[j]! - last < need[j]!
      const worth = WEIGHT[tasks[j]!.priority] * (isTight ? DEFENDED_FACTOR : 1)
      return pairsOf(pairs).map(([start, end]) => ({ start, end, worth }))
    })
    .toSorted((a, b) => a.start - b.start)

const lossIn = (blocks: ReturnType<typeof movableBlocks>, start: number, end: number): number => {
  let sum = 0
  for (const block of blocks) {
    if (block.start >= end) break
    const overlap = Math.min(end, block.end) - Math.max(start, block.start)
    if (overlap > 0) sum += overlap * block.worth
  }
  return sum
}
