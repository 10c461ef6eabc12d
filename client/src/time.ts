// Scheduling: windows, blocks, the planner and notifications.
import {
  FullPlannerRun,
  Generated,
  ListedTimeBlock,
  MarkedRead,
  type NewSchedulePreference,
  type NewTimeBlock,
  type NotificationRequest,
  Notifications,
  PlannerResult,
  PlannerRuns,
  PlannerStatus,
  PlannerUndo,
  SchedulePreference,
  type SchedulePreferenceChanges,
  Success,
  TimeBlock,
  type TimeBlockChanges,
} from '@daywright/contract'
import { at, type Call, type Sent } from './call.ts'

type Range = { from?: Date | string; to?: Date | string }

export const time = (call: Call) => ({
  schedulePreferences: {
    list: () => call.get(SchedulePreference.array(), '/api/schedule-preferences'),
    create: (preference: Sent<typeof NewSchedulePreference>) =>
      call.post(SchedulePreference, '/api/schedule-preferences', preference),
    update: (id: string, changes: Sent<typeof SchedulePreferenceChanges>) =>
      call.patch(SchedulePreference, at`/api/schedule-preferences/${id}`, changes),
    delete: (id: string) => call.delete(at`/api/schedule-preferences/${id}`),
  },

  timeBlocks: {
    /** Blocks that start in the range, by default a day from now. */
    list: (range?: Range) => call.get(ListedTimeBlock.array(), '/api/time-blocks', range),
    get: (id: string) => call.get(TimeBlock, at`/api/time-blocks/${id}`),
    create: (block: Sent<typeof NewTimeBlock>) =>
      call.post(ListedTimeBlock, '/api/time-blocks', block),
    update: (id: string, changes: Sent<typeof TimeBlockChanges>) =>
      call.patch(TimeBlock, at`/api/time-blocks/${id}`, changes),
    delete: (id: string) => call.delete(at`/api/time-blocks/${id}`),
    reorder: (orderedIds: string[]) =>
      call.patch(Success, '/api/time-blocks/reorder', { orderedIds }),
  },

  planner: {
    status: () => call.get(PlannerStatus, '/api/planner'),
    /** The result, and the id of the run for `get` and `undo`. */
    async run() {
      let runId = ''
      const result = await call.post(PlannerResult, '/api/planner', undefined, ({ headers }) => {
        runId = headers.get('planner-run-id') ?? ''
      })
      return { ...result, runId }
    },
    /** What a run would do; the calendar does not change until it is applied. */
    preview: () => call.post(FullPlannerRun, '/api/planner/preview'),
    runs: () => call.get(PlannerRuns, '/api/planner/runs'),
    get: (id: string) => call.get(FullPlannerRun, at`/api/planner/runs/${id}`),
    apply: (id: string) => call.post(PlannerResult, at`/api/planner/runs/${id}/apply`),
    undo: (id: string) => call.post(PlannerUndo, at`/api/planner/runs/${id}/undo`),
  },

  notifications: {
    list: () => call.get(Notifications, '/api/notifications'),
    generate: (type: NotificationRequest['type']) =>
      call.post(Generated, '/api/notifications', { type }),
    markAllRead: () => call.patch(MarkedRead, '/api/notifications'),
    markRead: (notificationId: string) =>
      call.post(Success, '/api/notifications/read', { notificationId }),
  },
})
