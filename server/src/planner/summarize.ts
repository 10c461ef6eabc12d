import type { PlannerResult } from '@daywright/contract'
import type { Plan } from '@daywright/scheduler'

const fourDays = 4 * 1440

/** The summary of a run: the contract's answer, its cost, and how near the best it is. */
export function summarize({ timezone, create, atRisk, unscheduled, oversized, cost, bound }: Plan) {
  const result: PlannerResult = {
    ok: true,
    timezone,
    tasksScheduled: create.length,
    tasksAtRisk: atRisk.length,
    tasksUnscheduled: unscheduled.length,
    tasksOversized: oversized.length,
    atRiskTaskIds: atRisk.map(({ taskId }) => taskId),
    unscheduledTaskIds: unscheduled.map(({ taskId }) => taskId),
    oversizedTaskIds: oversized,
  }
  // Relative to the lower bound; a few days are added so that a small miss stays small.
  const gap = (cost.lateness - bound.lateness) / (bound.lateness + fourDays)
  return { result, cost, bound, gap }
}
