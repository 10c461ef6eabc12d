// The tasks that a run must report.
import type { Compiled } from '../problem/compile.ts'
import type { Sessions } from '../problem/sessions.ts'

/** Eight hours: the length of the default working day. */
const WORKING_DAY = 480

export type Report = {
  /** Task numbers. */
  atRisk: number[]
  unscheduled: { task: number; minutes: number }[]
  oversized: number[]
}

export const reportOn = (compiled: Compiled, sessions: readonly Sessions[]): Report => {
  const { problem, tasks, need, due, keptEnd, horizonEnd } = compiled
  const report: Report = { atRisk: [], unscheduled: [], oversized: [] }
  for (const [j, task] of tasks.entries()) {
    let left = need[j]!
    let end = keptEnd[j]!
    const pairs = sessions[j]!
    for (let i = 0; i < pairs.length; i += 2) {
      left -= pairs[i + 1]! - pairs[i]!
      end = Math.max(end, pairs[i + 1]!)
    }
    if (left > 0) report.unscheduled.push({ task: j, minutes: left })
    if (task.estimateMinutes! > WORKING_DAY) report.oversized.push(j)
    if (task.dueAt === null) continue
    const overdue = task.dueAt < problem.now
    if (overdue || end > due[j]! || (left > 0 && task.dueAt <= horizonEnd)) report.atRisk.push(j)
  }
  return report
}
