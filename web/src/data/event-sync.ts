// Follows the user's events and updates the cache. Text being typed is in component state and is not
// affected.
import { createClient, ResyncRequired } from '@daywright/client'
import type { Event } from '@daywright/contract'
import type { QueryKey } from '@tanstack/react-query'
import { now } from '../time/clock.ts'
import { api, Refusal } from './api.ts'
import { applyEvents, placeTask } from './apply-events.ts'
import { handleUnauthorized } from './query-client.ts'
import { keys } from './keys.ts'
import { noticeAnswer } from './online.ts'
import { refresh, whenIdle } from './refresh.ts'

const shortestMs = 500
// At the start, at most this many events of the last `replayedMs` are replayed.
const replayed = 20
const replayedMs = 30_000
const longestMs = 20_000
// For more tasks than this, fetching the whole list is faster than fetching each task.
const fewTasks = 12

/** Follows the event stream and reconnects when it breaks. Returns a function that stops it. */
export function followEvents() {
  const stop = new AbortController()
  const { events, history } = createClient({ baseUrl: '', signal: stop.signal, strict: false })
  let last: string | undefined
  let wait = shortestMs

  /** The event to start after. Recent events are replayed, because data fetched earlier may lack them. */
  async function newest() {
    const { events: latest } = await history.list({ limit: replayed })
    const known = latest.find(({ at }) => at.getTime() < now().getTime() - replayedMs)
    const oldest = latest.length === replayed ? latest.at(-1) : undefined
    return (known ?? oldest)?.id ?? '0-0'
  }

  async function run() {
    while (!stop.signal.aborted) {
      try {
        const then = await newest()
        noticeAnswer(true)
        last ??= then
        for await (const event of events.follow(last)) {
          wait = shortestMs
          last = event.id
          take(event)
        }
      } catch (error) {
        if (stop.signal.aborted) return
        if (error instanceof ResyncRequired) {
          last = error.next
          refresh([])
          continue
        }
        handleUnauthorized(error)
        if (error instanceof Refusal && error.status === 401) return
        noticeAnswer(false)
      }
      await new Promise((resolve) => setTimeout(resolve, wait))
      wait = Math.min(longestMs, wait * 2)
    }
  }
  void run()
  return () => stop.abort()
}

/** The queries that an event invalidates, by type of record, in addition to the data that its content updates. */
const stale: Record<string, (id: string) => QueryKey[]> = {
  plannerRun: () => [keys.blocks, keys.planner],
  project: (id) => [keys.projects, keys.project(id), keys.spaces, keys.defaultSchedules],
  space: () => [keys.spaces, keys.projects, keys.defaultSchedules],
  recurrence: () => [keys.recurrences],
  label: () => [keys.labels],
  document: (id) => [keys.documents, keys.documentTexts, keys.document(id), ['project']],
  schedulePreference: () => [keys.preferences],
  notification: () => [keys.notifications],
  user: () => [keys.profile],
  settings: () => [keys.settings],
  apiKey: () => [keys.apiKeys],
  feed: () => [keys.feeds],
  planCalendar: () => [keys.planCalendars],
  connectedAccount: () => [keys.connectedAccounts],
  webhook: () => [keys.webhooks],
  calendar: () => [keys.calendars, keys.calendarEvents, keys.planner],
  dependency: () => [['dependencies']],
  documentLink: () => [['document'], ['task']],
}

const withContent = new Set(['task', 'timeBlock', 'space', 'project', 'label'])

export function take(event: Event) {
  const [record = ''] = event.type.split('.')
  if (record === 'account') refresh([])
  if (record === 'checklistItem') {
    const taskId = (event.after ?? event.before)?.taskId
    if (typeof taskId === 'string') fetchSoon(taskId)
    refresh(keys.projects, keys.spaces, ['project'])
  }
  if (withContent.has(record)) {
    gathered.push(event)
    schedule()
  }
  // The tasks of a deleted space, project or label have changed as well.
  if (['space', 'project', 'label'].includes(record) && event.after === null) {
    refresh(keys.tasks, ['task'])
  }
  refresh(...(stale[record]?.(event.recordId) ?? []))
}

let gathered: Event[] = []
const toFetch = new Set<string>()
const gatherMs = 40
let timer: ReturnType<typeof setTimeout> | undefined

function fetchSoon(taskId: string) {
  toFetch.add(taskId)
  schedule()
}

function schedule() {
  timer ??= setTimeout(() => void applyGathered(), gatherMs)
}

async function applyGathered() {
  // The event of our own change may come before its answer, and must not replace an optimistic update.
  await whenIdle()
  timer = undefined
  const events = gathered
  gathered = []
  const { stale: others, fetch } = applyEvents(events)
  refresh(...others)
  const ids = [...toFetch.union(fetch)]
  toFetch.clear()
  if (ids.length > fewTasks) return refresh(keys.tasks, ['task'])
  await Promise.all(
    ids.map(async (id) => {
      try {
        placeTask(await api.tasks.get(id))
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 404)) refresh(keys.tasks, ['task'])
      }
    }),
  )
}
