// Writes events into the cache. An event holds its record, so most changes need no request: related data that a
// response includes (the space of a task, the task of a block) is in the cache, too.
import {
  BareTask,
  BareTimeBlock,
  type Event,
  type FullTask,
  type ListedLabel,
  type ListedProject,
  type ListedSpace,
  type ListedTask,
  type ListedTimeBlock,
} from '@daywright/contract'
import type { QueryKey } from '@tanstack/react-query'
import { keys } from './keys.ts'
import { cache } from './query-client.ts'
import { isOutdated, refresh } from './refresh.ts'

type Applied = {
  /** Queries that must be fetched again. */
  stale: QueryKey[]
  /** The ids of tasks that must be fetched, because the cache lacks part of them. */
  fetch: Set<string>
}

/** Applies, in order, the events of tasks, of blocks, and of the spaces, projects and labels that tasks show. */
export function applyEvents(events: Event[]): Applied {
  const applied: Applied = { stale: [], fetch: new Set() }
  const tasks = readCachedTasks()
  for (const event of events) {
    const [record] = event.type.split('.')
    if (event.type === 'task.deleted') {
      tasks.remove(event.recordId)
      applied.fetch.delete(event.recordId)
      applied.stale.push(keys.blocks, keys.planner, keys.projects, keys.spaces, ['project'])
    } else if (record === 'task') applyTask(event, tasks, applied)
    else if (record === 'timeBlock') applied.stale.push(...applyBlock(event, tasks))
    else if (event.after !== null) tasks.rename(record, event.recordId, event.after)
  }
  tasks.write()
  return applied
}

export const isOpen = ({ status }: ListedTask) =>
  status === 'backlog' || status === 'todo' || status === 'in_progress'

/** Writes a task into every cached list it belongs to. */
export function placeTask(task: FullTask) {
  const known = cache.getQueryData<FullTask>(keys.task(task.id))
  if (known && known.updatedAt > task.updatedAt) return
  cache.setQueryData(keys.task(task.id), task)
  placeTasks(new Map([[task.id, task]]))
}

/** The task without its blocks and checklist items, which have events of their own. */
const ownFields = ({ timeBlocks: _blocks, checklistItems: _items, ...task }: ListedTask) => task

type CachedTasks = ReturnType<typeof readCachedTasks>

/** The cached tasks by id. Changes are collected and written together, because a list may be long. */
function readCachedTasks() {
  const lists = cache.getQueriesData<ListedTask[]>({ queryKey: keys.tasks })
  const full = cache.getQueriesData<FullTask>({ queryKey: ['task'] })
  const byId = new Map<string, ListedTask>([
    ...full.flatMap(([, task]) => (task ? [[task.id, task] as const] : [])),
    ...lists.flatMap(([, tasks = []]) => tasks.map((task) => [task.id, task] as const)),
  ])
  /** The changed tasks by id; null means deleted. */
  const changed = new Map<string, ListedTask | null>()
  const put = (task: ListedTask) => {
    byId.set(task.id, task)
    changed.set(task.id, task)
  }
  return {
    find: (id: string) => byId.get(id),
    put,
    remove(id: string) {
      byId.delete(id)
      changed.set(id, null)
    },
    /** Updates a label, space or project in the tasks that show it. */
    rename(record: string | undefined, id: string, after: object) {
      const renamed = <Summary extends { id: string }>(was: Summary) =>
        was.id === id ? ({ ...was, ...pick(after, Object.keys(was)) } as Summary) : was
      for (const task of byId.values()) {
        if (record === 'label' && task.labels.some((label) => label.id === id)) {
          put({ ...task, labels: task.labels.map(renamed) })
        } else if (record === 'space' && task.space?.id === id) {
          put({ ...task, space: renamed(task.space) })
        } else if (record === 'project' && task.project?.id === id) {
          put({ ...task, project: renamed(task.project) })
        }
      }
    },
    write() {
      for (const [id, task] of changed) {
        const queryKey = keys.task(id)
        if (!task) cache.removeQueries({ queryKey })
        else cache.setQueryData<FullTask>(queryKey, (was) => was && { ...was, ...ownFields(task) })
      }
      if (changed.size > 0) placeTasks(changed)
    },
  }
}

function applyTask(event: Event, tasks: CachedTasks, { stale, fetch }: Applied) {
  const { recordId: id, before, after } = event
  const isSame = (field: string) =>
    JSON.stringify(before?.[field]) === JSON.stringify(after?.[field])
  const isCounted = before === null || !['status', 'projectId', 'spaceId'].every(isSame)
  if (isCounted) stale.push(keys.projects, keys.spaces, ['project'])
  else if (typeof after?.projectId === 'string') stale.push(keys.project(after.projectId))
  const labelIds = (state: Event['after']) => JSON.stringify(state?.labelIds ?? [])
  if (labelIds(before) !== labelIds(after)) stale.push(keys.labels)
  for (const state of [before, after]) {
    if (typeof state?.parentTaskId === 'string') stale.push(keys.task(state.parentTaskId))
  }
  const known = tasks.find(id)
  const bare = BareTask.safeParse(after)
  if (bare.success && known && known.updatedAt >= bare.data.updatedAt) return
  const isNew = event.type === 'task.created' && !known
  // The details of a task show the title of its parent, so a task with a new parent is fetched.
  const isEnough = isNew || (known && isSame('parentTaskId'))
  const task = bare.success && isEnough ? composeTask(known, bare.data, after?.labelIds) : undefined
  if (!task) {
    fetch.add(id)
    // Blocks show the title and status of their task.
    stale.push(keys.blocks)
    return
  }
  tasks.put(task)
  const { title, priority, status } = task
  changeBlocks((blocks) =>
    blocks.map((block) =>
      block.task?.id === id ? { ...block, title, task: { id, title, priority, status } } : block,
    ),
  )
}

/** The task with the space, project and labels that lists show; undefined if one is not in the cache. */
function composeTask(
  known: ListedTask | undefined,
  bare: BareTask,
  labelIds: unknown,
): ListedTask | undefined {
  const space = summarize<ListedSpace, NonNullable<ListedTask['space']>>(
    bare.spaceId,
    known?.space,
    keys.spaces,
    ['id', 'name', 'color', 'icon'],
  )
  const project = summarize<ListedProject, NonNullable<ListedTask['project']>>(
    bare.projectId,
    known?.project,
    keys.projects,
    ['id', 'name', 'color'],
  )
  const labels = (Array.isArray(labelIds) ? labelIds.map(String) : []).map(
    (id) =>
      known?.labels.find((label) => label.id === id) ??
      summarize<ListedLabel, ListedTask['labels'][number]>(id, null, keys.labels, [
        'id',
        'name',
        'color',
      ]),
  )
  if (space === undefined || project === undefined) return undefined
  if (!labels.every((label) => label !== undefined && label !== null)) return undefined
  return {
    ...bare,
    space,
    project,
    labels: labels.toSorted((a, b) => a.name.localeCompare(b.name)),
    checklistItems: known?.checklistItems ?? [],
    timeBlocks: known?.timeBlocks ?? [],
  }
}

/** The part of a space, project or label that a task shows: `known` if it has this id, else from the cached list. */
function summarize<Listed extends Summary & { id: string }, Summary extends object>(
  id: string | null,
  known: (Summary & { id: string }) | null | undefined,
  key: QueryKey,
  fields: (keyof Summary & string)[],
): Summary | null | undefined {
  if (id === null) return null
  if (known?.id === id) return known
  const listed = cache.getQueryData<Listed[]>(key)?.find((each) => each.id === id)
  return listed && (pick(listed, fields) as Summary)
}

const pick = (source: object, fields: string[]) =>
  Object.fromEntries(Object.entries(source).filter(([field]) => fields.includes(field)))

/** Writes the changed tasks into the cached lists of open tasks and of all tasks. */
function placeTasks(changed: Map<string, ListedTask | null>) {
  for (const [key, belongs] of [
    [keys.openTasks, isOpen],
    [keys.allTasks, () => true],
  ] as const) {
    // A running fetch may return older data, so it is repeated.
    const query = cache.getQueryCache().find({ queryKey: key })
    if (query && isOutdated(query)) refresh(key)
    cache.setQueryData<ListedTask[]>(key, (tasks) => {
      if (!tasks) return tasks
      const known = new Set(tasks.map(({ id }) => id))
      const added = [...changed].filter(([id]) => !known.has(id)).map(([, task]) => task)
      const kept = tasks.map((task) => (changed.has(task.id) ? changed.get(task.id) : task))
      return [...kept, ...added].filter((task) => !!task).filter(belongs)
    })
  }
}

/** Applies the event of a block. Returns the queries that must be fetched again. */
function applyBlock({ recordId: id, before, after }: Event, tasks: CachedTasks): QueryKey[] {
  const stale: QueryKey[] = [keys.planner]
  if (before?.status !== after?.status) stale.push(keys.missedBlocks)
  if (after === null || after.status === 'cancelled') {
    changeBlocks((blocks) => blocks.filter((block) => block.id !== id))
    return stale
  }
  const { success, data: bare } = BareTimeBlock.safeParse(after)
  const task =
    success && bare.taskId !== null
      ? (tasks.find(bare.taskId) ?? taskOfCached(id, bare.taskId))
      : null
  if (!success || task === undefined) return [...stale, keys.blocks]
  const block: ListedTimeBlock = {
    ...bare,
    task: task && (pick(task, ['id', 'title', 'priority', 'status']) as ListedTimeBlock['task']),
  }
  changeBlocks((blocks, from, to) => {
    const known = blocks.find((each) => each.id === id)
    if (known && known.updatedAt >= block.updatedAt) return blocks
    const others = blocks.filter((each) => each !== known)
    const start = block.startAt.getTime()
    return start >= from && start < to ? [...others, block].toSorted(byStart) : others
  })
  return stale
}

/** The task of the cached block, because a closed task may not be in any list. */
const taskOfCached = (id: string, taskId: string) =>
  cache
    .getQueriesData<ListedTimeBlock[]>({ queryKey: keys.blocks })
    .flatMap(([, blocks = []]) => blocks)
    .find((block) => block.id === id && block.taskId === taskId)?.task ?? undefined

const byStart = (one: ListedTimeBlock, other: ListedTimeBlock) =>
  one.startAt.getTime() - other.startAt.getTime() || (one.id < other.id ? -1 : 1)

/** Changes the blocks in every cached time range. */
function changeBlocks(
  change: (blocks: ListedTimeBlock[], from: number, to: number) => ListedTimeBlock[],
) {
  for (const query of cache.getQueryCache().findAll({ queryKey: keys.blocks })) {
    const [, from, to] = query.queryKey
    if (typeof from !== 'number' || typeof to !== 'number') continue
    if (isOutdated(query)) refresh(query.queryKey)
    cache.setQueryData<ListedTimeBlock[]>(
      query.queryKey,
      (blocks) => blocks && change(blocks, from, to),
    )
  }
}
