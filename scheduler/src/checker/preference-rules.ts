// The checker's rules about the user's preferences. Soft preferences (focus hours, free time) have no
// rule: a plan that does not meet them is still correct.
import type { Block, PlannedBlock } from '../model.ts'
import { type Facts, minutes, untilBusy } from './facts.ts'

const MINUTE = 60_000

type Span = { startAt: number; endAt: number }

export const preferenceRules: Record<string, (facts: Facts) => string[]> = {
  'lunch stays free as far as kept blocks leave time for it': (facts) => {
    const lunch = facts.problem.preferences?.lunch
    if (!lunch) return []
    const everyDay = { day: [0, 1, 2, 3, 4, 5, 6], start: lunch.from, end: lunch.to }
    return facts.clock.openings([everyDay]).flatMap(([from, until]) => {
      const possible = longestFree(facts.kept, from, until)
      const left = longestFree([...facts.kept, ...facts.plan.create], from, until)
      return left >= Math.min(lunch.minutes, possible) ? [] : [`${stamp(from)}: ${left} minutes`]
    })
  },

  'no more work than the daily limit, beside kept blocks': (facts) => {
    const limit = facts.problem.preferences?.dailyLimitMinutes
    if (limit === null || limit === undefined) return []
    return facts.clock.days().flatMap(([from, until]) => {
      const planned = totalMinutes(facts.plan.create, from, until)
      const kept = totalMinutes(keptWork(facts), from, until)
      return planned > 0 && planned + kept > limit ? [`${stamp(from)}: ${planned + kept}`] : []
    })
  },

  'a break after a long session': (facts) => {
    const breaks = facts.problem.preferences?.breaks
    if (!breaks) return []
    return tooClose(facts, (session) =>
      minutes(session) >= breaks.afterMinutes ? breaks.minutes : 0,
    )
  },

  'a buffer between sessions of different tasks': (facts) => {
    const buffer = facts.problem.preferences?.bufferMinutes
    if (!buffer) return []
    return tooClose(facts, (session, next) => (session.taskId === next.taskId ? 0 : buffer))
  },
}

type Session = Span & { taskId: string | null }

/** Finds planned blocks that start before the pause after a session is over. A kept block may start
 *  during the pause after a planned block. */
const tooClose = (facts: Facts, pause: (session: Session, next: PlannedBlock) => number) => {
  const sessions: Session[] = [...keptWork(facts), ...facts.plan.create]
  return facts.plan.create.flatMap((next) =>
    sessions
      .filter(
        (session) =>
          session !== next &&
          session.startAt < next.startAt &&
          next.startAt < session.endAt + pause(session, next) * MINUTE,
      )
      .map((session) => `${next.taskId} ${stamp(next.startAt)} after ${stamp(session.endAt)}`),
  )
}

/** The kept blocks of tasks, each up to the end of its busy time. */
const keptWork = ({ kept }: Facts): Session[] =>
  kept
    .filter((block) => block.taskId !== null)
    .map((block: Block) => ({ ...block, endAt: untilBusy(block) }))
    .filter(({ startAt, endAt }) => endAt > startAt)

/** The longest free stretch in whole minutes, since planned blocks start at whole minutes. */
const longestFree = (blocks: readonly Span[], from: number, until: number) => {
  let longest = 0
  let free = from
  for (const { startAt, endAt } of blocks.toSorted((a, b) => a.startAt - b.startAt)) {
    if (endAt <= from || startAt >= until) continue
    longest = Math.max(longest, wholeMinutes(free, startAt))
    free = Math.max(free, endAt)
  }
  return Math.max(longest, wholeMinutes(free, until))
}

const wholeMinutes = (from: number, until: number) =>
  Math.floor(until / MINUTE) - Math.ceil(from / MINUTE)

/** The total minutes of the blocks within the stretch; overlapping time counts once. */
const totalMinutes = (blocks: readonly Span[], from: number, until: number) => {
  let total = 0
  let reached = from
  for (const { startAt, endAt } of blocks.toSorted((a, b) => a.startAt - b.startAt)) {
    const end = Math.min(endAt, until)
    total += Math.max(0, end - Math.max(startAt, reached))
    reached = Math.max(reached, end)
  }
  return total / MINUTE
}

const stamp = (instant: number) => new Date(instant).toISOString()
