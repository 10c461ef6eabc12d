// Scheduling: windows, blocks, the planner and notifications.
import {
  Calendar,
  type CalendarAccount,
  type CalendarChanges,
  CalendarEvent,
  CalendarPreview,
  DefaultSchedule,
  type DefaultScheduleChanges,
  DefaultSchedules,
  FullPlannerRun,
  Generated,
  ListedTimeBlock,
  MarkedRead,
  type MissedAction,
  FoundCalendars,
  type NewCalendar,
  type NewSchedulePreference,
  type NewTimeBlock,
  type NotificationRequest,
  Notifications,
  PlannerForecast,
  PlannerResult,
  PlannerRuns,
  PlannerStatus,
  PlannerUndo,
  SchedulePreference,
  type SchedulePreferenceChanges,
  Slots,
  type SlotSearchInput,
  Success,
  TimeBlock,
  type TimeBlockChanges,
  Updated,
} from '@daywright/contract'
import { at, type Call, progress, query, type Sent } from './call.ts'

/** `fromScratch`: plan as if the planner had no blocks on the calendar. */
type PlanOptions = { fromScratch?: boolean }
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

  /** The schedules of tasks that have none. That of the account is in the settings. */
  defaultSchedules: {
    list: () => call.get(DefaultSchedules, '/api/default-schedules'),
    setOfSpace: (id: string, schedule: Sent<typeof DefaultScheduleChanges>) =>
      call.put(DefaultSchedule, at`/api/spaces/${id}/default-schedule`, schedule),
    setOfProject: (id: string, schedule: Sent<typeof DefaultScheduleChanges>) =>
      call.put(DefaultSchedule, at`/api/projects/${id}/default-schedule`, schedule),
  },

  timeBlocks: {
    /** Blocks that start in the range, by default the next 24 hours. */
    list: (range?: Range) =>
      call.get(ListedTimeBlock.array(), '/api/time-blocks', { ...range, ...progress }),
    get: (id: string) => call.get(TimeBlock, at`/api/time-blocks/${id}`, progress),
    create: (block: Sent<typeof NewTimeBlock>) =>
      call.post(ListedTimeBlock, `/api/time-blocks${query(progress)}`, block),
    update: (id: string, changes: Sent<typeof TimeBlockChanges>) =>
      call.patch(TimeBlock, at`/api/time-blocks/${id}`, changes, progress),
    delete: (id: string) => call.delete(at`/api/time-blocks/${id}`),
    reorder: (orderedIds: string[]) =>
      call.patch(Success, '/api/time-blocks/reorder', { orderedIds }),
    /** Starts a scheduled block now. If another block is running, it is stopped first. */
    start: (id: string) => call.post(TimeBlock, at`/api/time-blocks/${id}/start`),
    /** Ends a running block now. */
    stop: (id: string) => call.post(TimeBlock, at`/api/time-blocks/${id}/stop`),
    extend: (id: string, minutes: number) =>
      call.post(TimeBlock, at`/api/time-blocks/${id}/extend`, { minutes }),
    /** Cancels a block; its task is planned no earlier than `until`. */
    skip: (id: string, until: Date | string) =>
      call.post(TimeBlock, at`/api/time-blocks/${id}/skip`, { until }),
    /** Blocks of the last 14 days that ended without being started, and need a decision. */
    missed: () => call.get(ListedTimeBlock.array(), '/api/time-blocks/missed'),
    decideOnMissed: (action: MissedAction, blockIds: string[]) =>
      call.post(Updated, '/api/time-blocks/missed', { action, blockIds }),
  },

  calendars: {
    list: () => call.get(Calendar.array(), '/api/calendars'),
    get: (id: string) => call.get(Calendar, at`/api/calendars/${id}`),
    /** The calendar at an address; nothing is stored. */
    preview: (url: string) => call.post(CalendarPreview, '/api/calendars/preview', { url }),
    /** The calendars of an account at a CalDAV server; nothing is stored. */
    discover: (account: Sent<typeof CalendarAccount>) =>
      call.post(FoundCalendars, '/api/calendars/discover', account),
    create: (calendar: Sent<typeof NewCalendar>) => call.post(Calendar, '/api/calendars', calendar),
    update: (id: string, changes: Sent<typeof CalendarChanges>) =>
      call.patch(Calendar, at`/api/calendars/${id}`, changes),
    delete: (id: string) => call.delete(at`/api/calendars/${id}`),
    /** Has the service fetch the calendar within seconds. */
    refresh: (id: string) => call.post(Calendar, at`/api/calendars/${id}/refresh`),
    /** Events that overlap the range, by default the next 24 hours. */
    events: (range?: Range) =>
      call.get(CalendarEvent.array(), '/api/calendar-events', { ...range }),
  },

  planner: {
    status: () => call.get(PlannerStatus, '/api/planner'),
    /** Runs the planner. Returns the result and the id of the run, for `get` and `undo`. */
    async run(options?: PlanOptions) {
      let runId = ''
      const path = `/api/planner${query(options)}`
      const result = await call.post(PlannerResult, path, undefined, ({ headers }) => {
        runId = headers.get('planner-run-id') ?? ''
      })
      return { ...result, runId }
    },
    /** What a run would do. The calendar does not change until the preview is applied. */
    preview: (options?: PlanOptions) =>
      call.post(FullPlannerRun, `/api/planner/preview${query(options)}`),
    /** The chances of meeting due dates, the load of the weeks, and changes that make late work fit. */
    forecast: () => call.get(PlannerForecast, '/api/planner/forecast'),
    /** Slots for an appointment, best first, each with its effect on the plan. */
    findSlots: (search: Sent<typeof SlotSearchInput>) =>
      call.post(Slots, '/api/planner/slots', search),
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
