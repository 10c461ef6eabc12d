// Lives the months of several people in one way, and sums up what they were like.
import { plan } from '../../src/index.ts'
import { type Change, judgeLife, judgeReplan, type Month, movedBlocks, sumOf } from './judge.ts'
import { live, type Replan } from './live.ts'
import { DAYS, MINUTE, type Person } from './person.ts'
import type { Way } from './ways.ts'

const HOUR = 60 * MINUTE

export type Measured = {
  way: Way
  people: number
  month: Month
  mornings: Change[]
  /** The changes of the plan after events during the day. */
  duringDay: Change[]
  /** Blocks of today and tomorrow that moved during the day although nothing would have been late without that. */
  needless: number
  days: number
  ms: number
}

export const measureMonth = (people: readonly Person[], way: Way): Measured => {
  const mornings: Change[] = []
  const duringDay: Change[] = []
  let needless = 0
  const { user } = process.cpuUsage()
  let judging = 0
  const watch = (replan: Replan) => {
    const before = process.cpuUsage().user
    const change = judgeReplan(replan)
    if (replan.isMorning) mornings.push(change)
    else {
      duringDay.push(change)
      needless += countNeedless(replan)
    }
    judging += process.cpuUsage().user - before
  }
  const months = people.map((person) => judgeLife(live(person, { ...way, watch })))
  return {
    way,
    people: people.length,
    month: sumOf(months),
    mornings,
    duringDay,
    needless,
    days: people.length * DAYS,
    ms: (process.cpuUsage().user - user - judging) / 1000,
  }
}

/** Counts the moved blocks of today and tomorrow, unless a plan in which they stay makes more work late. */
const countNeedless = ({ problem, plan: made, person }: Replan): number => {
  const tomorrowEnd = person.midnights.find((midnight) => midnight > problem.now + 24 * HOUR)!
  const isFree = ({ startAt, endAt }: { startAt: number; endAt: number }, id: string) =>
    !problem.blocks.some(
      (block) =>
        block.id !== id &&
        !made.cancel.includes(block.id) &&
        block.startAt < endAt &&
        startAt < block.endAt,
    )
  const moved = movedBlocks(problem, made).filter(
    (block) => block.startAt < tomorrowEnd && isFree(block, block.id),
  )
  if (moved.length === 0) return 0
  const stay = new Set(moved.map(({ id }) => id))
  const kept = plan({
    ...problem,
    blocks: problem.blocks.map((block) =>
      stay.has(block.id) ||
      (made.cancel.includes(block.id) && block.startAt < tomorrowEnd && isFree(block, block.id))
        ? { ...block, locked: true }
        : block,
    ),
  })
  const late = new Set(made.atRisk.map(({ taskId }) => taskId))
  return kept.atRisk.every(({ taskId }) => late.has(taskId)) ? moved.length : 0
}
