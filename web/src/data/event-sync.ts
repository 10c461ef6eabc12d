// Follows the user's events and updates the cache. Text being typed is in component state and is not
// affected.
import { createClient, ResyncRequired } from '@daywright/client'
import type { Event, FullTask, ListedTask } from '@daywright/contract'
import type { QueryKey } from '@tanstack/react-query'
import { now } from '../time/clock.ts'
import { api, Refusal } from './api.ts'
import { cache, handleUnauthorized } from './query-client.ts'
import { keys } from './keys.ts'
import { noticeAnswer } from './online.ts'
import { whenIdle, isOutdated, refresh } from './refresh.ts'

const shortestMs = 500
// This many recent events are applied once more at the start.
const replayed = 20
const replayedMs = 30_000
const longestMs = 20_000
// Above this number, fetching the whole list is faster than each task.
const fewTasks = 12

/** Reconnects after every lost connection until it is stopped. */
export function followEvents() {
  const stop = new AbortController()
  const { events, history } = createClient({ baseUrl: '', signal: stop.signal, strict: false })
  let last: string | undefined
  let wait = shortestMs

  /** Data shown before this request may lack the most recent events. */
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

/** The queries that an event invalidates. Tasks are many, and are updated one by one. */
const stale: Record<string, (id: string) => QueryKey[]> = {
  timeBlock: () => [keys.blocks, keys.planner],
  plannerRun: () => [keys.blocks, keys.planner],
  project: (id) => [keys.projects, keys.project(id), keys.spaces],
  space: () => [keys.spaces, keys.projects],
  recurrence: () => [keys.recurrences],
  label: () => [keys.labels],
  document: (id) => [keys.documents, keys.documentTexts, keys.document(id), ['project']],
  schedulePreference: () => [keys.preferences],
  notification: () => [keys.notifications],
  user: () => [keys.profile],
  settings: () => [keys.settings],
  apiKey: () => [keys.apiKeys],
  feed: () => [keys.feeds],
  webhook: () => [keys.webhooks],
  calendar: () => [keys.calendars, keys.calendarEvents, keys.planner],
  dependency: () => [['dependencies']],
  documentLink: () => [['document'], ['task']],
}

export function take(event: Event) {
  const [record = ''] = event.type.split('.')
  if (record === 'account') refresh([])
  if (record === 'task') takeTask(event.recordId, event)
  else if (record === 'checklistItem') {
    const taskId = (event.after ?? event.before)?.taskId
    if (typeof taskId === 'string') takeTask(taskId, undefined)
  }
  refresh(...(stale[record]?.(event.recordId) ?? []))
  // Tasks show their space, project and labels.
  if (['space', 'project', 'label'].includes(record) && event.type !== `${record}.created`) {
    refresh(keys.tasks, ['task'])
  }
}

/** By task id the event to catch up with; undefined for a change of a record that belongs to it. */
const due = new Map<string, Event | undefined>()
const gatherMs = 40
let timer: ReturnType<typeof setTimeout> | undefined

function takeTask(id: string, event: Event | undefined) {
  if (event?.after === null) {
    removeTask(id)
    refresh(keys.blocks, keys.planner)
  } else if (!isKnown(id, event)) {
    const isPartDue = due.has(id) && due.get(id) === undefined
    due.set(id, isPartDue ? undefined : event)
    timer ??= setTimeout(() => void fetchDue(), gatherMs)
    // Blocks show its title and status.
    refresh(keys.blocks)
  }
  refresh(keys.projects, keys.spaces, ['project'])
}

/** Whether the event is our own change, whose answer is in the cache already. */
function isKnown(id: string, event: Event | undefined) {
  const updatedAt = event?.after?.updatedAt
  if (typeof updatedAt !== 'string') return false
  const time = Date.parse(updatedAt)
  return cache
    .getQueriesData<ListedTask[]>({ queryKey: keys.tasks })
    .some(([, tasks]) => tasks?.some((task) => task.id === id && task.updatedAt.getTime() === time))
}

async function fetchDue() {
  // The event of our own change may come before its answer, which makes a fetch unnecessary.
  await whenIdle()
  const ids = [...due].filter(([id, event]) => !isKnown(id, event)).map(([id]) => id)
  due.clear()
  timer = undefined
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

const isOpen = ({ status }: ListedTask) =>
  status === 'backlog' || status === 'todo' || status === 'in_progress'

/** Writes a task into every cached list it belongs to. */
function placeTask(task: FullTask) {
  const known = cache.getQueryData<FullTask>(keys.task(task.id))
  if (known && known.updatedAt > task.updatedAt) return
  cache.setQueryData(keys.task(task.id), task)
  placeIn(keys.openTasks, task, isOpen(task))
  placeIn(keys.allTasks, task, true)
}

function placeIn(key: QueryKey, task: ListedTask, belongs: boolean) {
  const query = cache.getQueryCache().find({ queryKey: key })
  if (query && isOutdated(query)) refresh(key)
  cache.setQueryData<ListedTask[]>(key, (tasks) => {
    if (!tasks) return tasks
    if (!belongs) return tasks.filter(({ id }) => id !== task.id)
    if (tasks.some(({ id }) => id === task.id))
      return tasks.map((each) => (each.id === task.id ? task : each))
    return [...tasks, task]
  })
}

function removeTask(id: string) {
  for (const key of [keys.openTasks, keys.allTasks]) {
    cache.setQueryData<ListedTask[]>(key, (tasks) => tasks?.filter((task) => task.id !== id))
  }
  cache.removeQueries({ queryKey: keys.task(id) })
}
