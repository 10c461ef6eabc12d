// All queries with their keys: `useQuery(queries.labels())`.
import type { ListedTask, PlanCalendar } from '@daywright/contract'
import { queryOptions } from '@tanstack/react-query'
import { now } from '../time/clock.ts'
import { api } from './api.ts'
import { keys } from './keys.ts'

const pageSize = 100

type RuleInput = Parameters<typeof api.recurrences.preview>[0]
type SlotSearch = Parameters<typeof api.planner.findSlots>[0]

/** Fetches all pages of tasks: the first tells how many there are, and the others are fetched concurrently. */
async function everyTask(includeCompleted: boolean): Promise<ListedTask[]> {
  const filter = { includeCompleted, limit: pageSize }
  const first = await api.tasks.list({ ...filter, page: 1 })
  const others = Array.from({ length: Math.max(0, first.pagination.pages - 1) }, (_, index) =>
    api.tasks.list({ ...filter, page: index + 2 }),
  )
  const pages = [first, ...(await Promise.all(others))]
  // A task created meanwhile shifts another onto the next page, so duplicates are removed.
  return [...new Map(pages.flatMap(({ data }) => data).map((task) => [task.id, task])).values()]
}

/** Whether the first sync or the final removal of events is under way. */
const isUnderWay = ({ removing, syncedAt, error }: PlanCalendar) =>
  error === null && (removing || syncedAt === null)

const recentMs = 86_400_000

/** Reads the history, because only its events tell whether a run was automatic. */
async function findAutomaticRun() {
  const [{ events }, { runs }] = await Promise.all([
    api.history.list({ limit: 100 }),
    api.planner.runs(),
  ])
  const since = now().getTime() - recentMs
  const recent = new Map(
    runs.filter(({ plannedAt }) => plannedAt.getTime() > since).map((run) => [run.id, run]),
  )
  const found = events.find(
    ({ type, actor, recordId, after }) =>
      type === 'plannerRun.applied' &&
      actor.kind === 'planner' &&
      recent.has(recordId) &&
      [after?.createdBlockIds, after?.cancelledBlockIds].some(
        (ids) => Array.isArray(ids) && ids.length > 0,
      ),
  )
  const run = recent.get(found?.recordId ?? '')
  return run?.state === 'applied' ? api.planner.get(run.id) : null
}

export const queries = {
  profile: () => queryOptions({ queryKey: keys.profile, queryFn: () => api.user.get() }),
  /** Whether sign-up is open, and what it needs. */
  signUpState: () =>
    queryOptions({
      queryKey: keys.signUpState,
      queryFn: () => api.auth.signUpState(),
      staleTime: 0,
    }),
  usage: () => queryOptions({ queryKey: keys.usage, queryFn: () => api.usage(), staleTime: 0 }),
  settings: () => queryOptions({ queryKey: keys.settings, queryFn: () => api.settings.get() }),

  /** Every task that is not completed, cancelled or archived. */
  openTasks: () => queryOptions({ queryKey: keys.openTasks, queryFn: () => everyTask(false) }),
  allTasks: () => queryOptions({ queryKey: keys.allTasks, queryFn: () => everyTask(true) }),
  task: (id: string) => queryOptions({ queryKey: keys.task(id), queryFn: () => api.tasks.get(id) }),
  dependencies: (id: string) =>
    queryOptions({
      queryKey: keys.dependencies(id),
      queryFn: () => api.tasks.dependencies.list(id),
    }),

  /** The recurrence and the occurrence of a task; both are null if the task does not repeat. */
  recurrenceOf: (taskId: string) =>
    queryOptions({
      queryKey: keys.recurrenceOf(taskId),
      queryFn: () => api.recurrences.ofTask(taskId),
    }),
  /** The occurrences from two weeks before today to most of a year after it. */
  occurrences: (id: string, today: Temporal.PlainDate) =>
    queryOptions({
      queryKey: keys.occurrences(id),
      queryFn: () =>
        api.recurrences.occurrences(id, {
          from: today.subtract({ days: 14 }).toString(),
          to: today.add({ days: 350 }).toString(),
        }),
    }),
  /** Occurrences whose tasks do not exist yet. */
  comingOccurrences: (from: Temporal.PlainDate, to: Temporal.PlainDate) =>
    queryOptions({
      queryKey: keys.comingOccurrences(from.toString(), to.toString()),
      queryFn: () => api.recurrences.coming({ from: from.toString(), to: to.toString() }),
    }),
  /** The next dates of a rule. They depend on the current time, so they are not cached. */
  recurrencePreview: (rule: RuleInput) =>
    queryOptions({
      queryKey: keys.recurrencePreview(rule),
      queryFn: () => api.recurrences.preview(rule),
      staleTime: 0,
      gcTime: 0,
      retry: false,
    }),

  /** Blocks that start in a range of at most 62 days. Start a day early to include blocks that pass midnight. */
  blocks: (from: Date, to: Date) =>
    queryOptions({
      queryKey: keys.blocksBetween(from, to),
      queryFn: () => api.timeBlocks.list({ from, to }),
    }),
  /** Blocks of the last two weeks that ended without work, and need a decision. */
  missedBlocks: () =>
    queryOptions({ queryKey: keys.missedBlocks, queryFn: () => api.timeBlocks.missed() }),
  planner: () => queryOptions({ queryKey: keys.planner, queryFn: () => api.planner.status() }),
  runs: () => queryOptions({ queryKey: keys.runs, queryFn: () => api.planner.runs() }),
  run: (id: string) => queryOptions({ queryKey: keys.run(id), queryFn: () => api.planner.get(id) }),
  forecast: () => queryOptions({ queryKey: keys.forecast, queryFn: () => api.planner.forecast() }),
  /** Times for an appointment. They depend on the whole plan, so they are not cached. */
  slots: (search: SlotSearch) =>
    queryOptions({
      queryKey: keys.slots(search),
      queryFn: () => api.planner.findSlots(search),
      staleTime: 0,
      gcTime: 0,
    }),
  /** The last automatic run of the past 24 hours that changed the calendar, or null. */
  automaticRun: () => queryOptions({ queryKey: keys.automaticRun, queryFn: findAutomaticRun }),
  preferences: () =>
    queryOptions({ queryKey: keys.preferences, queryFn: () => api.schedulePreferences.list() }),
  /** The default schedules of spaces and projects; that of the account is in the settings. */
  defaultSchedules: () =>
    queryOptions({
      queryKey: keys.defaultSchedules,
      queryFn: () => api.defaultSchedules.list(),
    }),

  spaces: () => queryOptions({ queryKey: keys.spaces, queryFn: () => api.spaces.list() }),
  projects: () => queryOptions({ queryKey: keys.projects, queryFn: () => api.projects.list() }),
  project: (id: string) =>
    queryOptions({ queryKey: keys.project(id), queryFn: () => api.projects.get(id) }),
  labels: () => queryOptions({ queryKey: keys.labels, queryFn: () => api.labels.list() }),
  /** All documents, with only the start of each text. */
  documents: () =>
    queryOptions({
      queryKey: keys.documents,
      queryFn: () => api.documents.list({ content: 'excerpt' }),
    }),
  /** The full texts by id. They may be large, so they are read for a search and then dropped. */
  documentTexts: () =>
    queryOptions({
      queryKey: keys.documentTexts,
      queryFn: async () => {
        const documents = await api.documents.list()
        return new Map(documents.map(({ id, content }) => [id, content]))
      },
      gcTime: 0,
    }),
  document: (id: string) =>
    queryOptions({ queryKey: keys.document(id), queryFn: () => api.documents.get(id) }),

  notifications: () =>
    queryOptions({ queryKey: keys.notifications, queryFn: () => api.notifications.list() }),
  apiKeys: () => queryOptions({ queryKey: keys.apiKeys, queryFn: () => api.apiKeys.list() }),
  feeds: () => queryOptions({ queryKey: keys.feeds, queryFn: () => api.feeds.list() }),
  planCalendars: () =>
    queryOptions({
      queryKey: keys.planCalendars,
      queryFn: () => api.planCalendars.list(),
      // A successful sync appends no event, so its end is polled for.
      refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 3000 : false),
    }),
  connectedAccounts: () =>
    queryOptions({
      queryKey: keys.connectedAccounts,
      queryFn: () => api.connectedAccounts.list(),
    }),
  accountCalendars: (id: string) =>
    queryOptions({
      queryKey: keys.accountCalendars(id),
      queryFn: () => api.connectedAccounts.calendars(id),
    }),
  sessions: () => queryOptions({ queryKey: keys.sessions, queryFn: () => api.auth.sessions() }),
  /** The calendars that the user subscribes to. */
  calendars: () => queryOptions({ queryKey: keys.calendars, queryFn: () => api.calendars.list() }),
  /** The events of these calendars that overlap the range. */
  calendarEvents: (from: Date, to: Date) =>
    queryOptions({
      queryKey: keys.calendarEventsBetween(from, to),
      queryFn: () => api.calendars.events({ from, to }),
    }),
  webhooks: () => queryOptions({ queryKey: keys.webhooks, queryFn: () => api.webhooks.list() }),
  deliveries: (id: string) =>
    queryOptions({ queryKey: keys.deliveries(id), queryFn: () => api.webhooks.deliveries(id) }),
  accounts: () =>
    queryOptions({
      queryKey: keys.accounts,
      queryFn: () => Array.fromAsync(api.admin.users.all()),
    }),
  usageOf: (userId: string) =>
    queryOptions({
      queryKey: keys.usageOf(userId),
      queryFn: () => api.admin.users.usage(userId),
      staleTime: 0,
    }),
  jobs: () => queryOptions({ queryKey: keys.jobs, queryFn: () => api.admin.jobs.list() }),
  quarantine: () =>
    queryOptions({ queryKey: keys.quarantine, queryFn: () => api.admin.quarantine() }),
  history: (recordId: string) =>
    queryOptions({
      queryKey: keys.history(recordId),
      queryFn: () => api.history.list({ recordId }),
    }),
}
