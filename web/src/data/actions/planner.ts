import type { PlannerResult, Settings } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import { cache } from '../query-client.ts'

const around = [keys.blocks, keys.planner, keys.notifications]

const some = (count: number, what: string) => (count > 0 ? ` ${count} ${what}.` : '')

/** Applies a previewed plan to the calendar. */
export const applyPlan = (runId: string): Action<PlannerResult> => ({
  says: 'Plan applied.',
  send: () => api.planner.apply(runId),
  refreshes: around,
  undo: () => undoPlan(runId),
  onRefused: ({ status }) =>
    status === 409 ? 'Something has changed since this preview. Create a new one.' : undefined,
})

export const undoPlan = (runId: string): Action => ({
  says: 'Plan undone.',
  send: () => api.planner.undo(runId),
  refreshes: around,
})

/** Plans at once, without a preview. */
export const planNow = (): Action<PlannerResult & { runId: string }> => ({
  send: () => api.planner.run(),
  refreshes: around,
  undo: ({ runId }) => undoPlan(runId),
})

/** Plans at once like `planNow`, and reports the result in a toast. */
export const planAndReport = () => ({ ...planNow(), says: inShort }) as Action

/** Whether changes are planned automatically. */
export const isAutomatic = () => cache.getQueryData<Settings>(keys.settings)?.automatic === true

/** A summary such as `Placed 35 blocks. 2 at risk. 1 did not fit.` */
export const inShort = (result: PlannerResult) =>
  `Scheduled ${result.tasksScheduled} ${result.tasksScheduled === 1 ? 'block' : 'blocks'}.` +
  some(result.tasksAtRisk, 'at risk') +
  some(result.tasksUnscheduled, 'did not fit')
