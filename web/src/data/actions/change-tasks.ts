// Changes one or several tasks with an optimistic update. If one change is refused, the others are reverted, and
// the user is told which of them could not be reverted.
import type {
  BareTask,
  Event,
  FullTask,
  ListedTask,
  ListedTimeBlock,
  Task,
} from '@daywright/contract'
import type { Client } from '@daywright/client'
import { now } from '../../time/clock.ts'
import { api, Refusal } from '../api.ts'
import type { Expect } from '../optimistic-update.ts'
import { keys } from '../keys.ts'
import { PartlyDone } from '../partly-done.ts'
import type { Action } from '../action.ts'
import { differs, revertBlocks, revertLast } from '../undo.ts'
import { hideBlocks, isMovable } from './block-cache.ts'

export type TaskChanges = Parameters<Client['tasks']['update']>[1]

/** The changes to send, and the fields to show at once. */
export type Change = { changes: TaskChanges; shown: Partial<Task> }

const around = [keys.projects, keys.spaces, keys.planner]
const everything = [...around, keys.tasks, keys.blocks]

export const isOpen = ({ status }: Pick<BareTask, 'status'>) =>
  status === 'backlog' || status === 'todo' || status === 'in_progress'

/** Cancels the planned blocks of a task that is closed or deleted. */
const withBlocks = { blocks: 'cancel' } as const

function hidePlannedBlocks(expect: Expect, tasks: Pick<Task, 'id'>[]) {
  const ids = new Set<string | null>(tasks.map(({ id }) => id))
  const time = now()
  hideBlocks(expect, (block) => ids.has(block.taskId) && isMovable(block, time))
}

/** `“Write report”`, or `7 tasks`. */
export const nameOf = (tasks: Pick<Task, 'title'>[]) =>
  tasks.length === 1 ? `“${tasks[0]?.title}”` : `${tasks.length} tasks`

export function changeTasks(
  tasks: Task[],
  changeOf: (task: Task) => Change,
  says = `Changed ${nameOf(tasks)}.`,
): Action {
  const changed = new Map(tasks.map((task) => [task.id, changeOf(task)]))
  const fieldsOf = (id: string) => Object.keys(changed.get(id)?.changes ?? {})
  const closed = tasks.filter(({ id }) => closes(changed.get(id)?.changes))
  return {
    says,
    expect: (expect) => {
      if (closed.length > 0) hidePlannedBlocks(expect, closed)
      show(
        expect,
        mapValues(changed, ({ shown }) => shown),
      )
    },
    record: recordOf(tasks),
    send: () =>
      allOrNone(tasks, fieldsOf, ({ id }) => {
        const { changes = {} } = changed.get(id) ?? {}
        return api.tasks.update(id, changes, closes(changes) ? withBlocks : undefined)
      }),
    settle: (answers, expect) =>
      show(expect, new Map((answers as Task[]).map((task) => [task.id, task]))),
    refreshes: [...around, keys.allTasks, ...(closed.length > 0 ? [keys.blocks] : [])],
    undo: (answers) => revertTasks(changedAmong(tasks, answers as Task[], fieldsOf), fieldsOf),
  }
}

const closes = (changes: TaskChanges | undefined) =>
  changes?.status !== undefined && !isOpen({ status: changes.status })

/** The tasks that really changed. A change without effect has no event: a revert would hit an earlier change. */
function changedAmong(tasks: Task[], answers: unknown[], fieldsOf: FieldsOf) {
  return tasks.filter((task, index) => {
    const fields = fieldsOf(task.id)
    return !fields || differs(withLabelIds(task), withLabelIds(answers[index] as Task), fields)
  })
}

const withLabelIds = (task: Task) => ({
  ...task,
  labelIds: task.labels.map(({ id }) => id).toSorted(),
})

const recordOf = (tasks: Task[]) => tasks.map(({ id }) => id).join()

/** Completes or archives tasks, with one request for up to 1000 of them. */
export function finishTasks(tasks: Task[], how: 'complete' | 'archive'): Action {
  const status = how === 'complete' ? ('completed' as const) : ('archived' as const)
  return {
    says: `${how === 'complete' ? 'Completed' : 'Archived'} ${nameOf(tasks)}.`,
    expect: (expect) => {
      hidePlannedBlocks(expect, tasks)
      show(expect, new Map(tasks.map(({ id }) => [id, { status }])))
    },
    record: recordOf(tasks),
    send: async () => {
      for (const some of chunksOf(tasks, 1000)) {
        await api.tasks.batch(
          how,
          some.map(({ id }) => id),
          withBlocks,
        )
      }
    },
    refreshes: [...around, keys.blocks, keys.allTasks, archivedKey],
    undo: () => {
      const finished = tasks.filter((task) => task.status !== status)
      return revertTasks(finished, () => ['status'])
    },
  }
}

/** Deletes tasks permanently; undo restores them. */
export const deleteTasks = (tasks: Task[]): Action => ({
  says: `Deleted ${nameOf(tasks)}.`,
  expect: ({ update }) => {
    const ids = new Set(tasks.map(({ id }) => id))
    update<ListedTask[]>(keys.tasks, (list) => list.filter(({ id }) => !ids.has(id)))
    update<FullTask>(['task'], (task) => ({
      ...task,
      subtasks: task.subtasks.filter(({ id }) => !ids.has(id)),
    }))
    update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
      blocks.filter(({ taskId }) => !ids.has(taskId ?? '')),
    )
  },
  send: () =>
    allOrNone(
      tasks,
      () => undefined,
      ({ id }) => api.tasks.delete(id, { permanent: true, ...withBlocks }),
    ),
  refreshes: everything,
  undo: () => revertTasks(tasks),
})

/** The query key of the list of archived tasks. */
export const archivedKey = ['tasks', 'archived'] as const

const revertTasks = (tasks: Task[], fieldsOf?: FieldsOf): Action => ({
  expect: (expect) => show(expect, new Map(tasks.map((task) => [task.id, task]))),
  send: async () => {
    const { answers, failed, error } = await each(tasks, ({ id }) => revertLast(id, fieldsOf?.(id)))
    for (const event of onePerRequest(answers)) await revertBlocks(event)
    if (failed.length > 0 && failed.length < tasks.length) throw partlyDone(failed, error)
    if (failed.length > 0) throw error
  },
  refreshes: [...everything, ['task']],
})

/** One event per request: the events of a request have the same number before the dash of their ids. */
const onePerRequest = (events: Event[]) => [
  ...new Map(events.map((event) => [event.id.split('-')[0], event])).values(),
]

/** Updates every list with these tasks, the tasks themselves, their parents and their blocks. */
function show({ update }: Expect, shown: Map<string, Partial<Task>>) {
  const patch = <Of extends { id: string }>(task: Of): Of => {
    const own = shown.get(task.id)
    return own ? { ...task, ...own } : task
  }
  update<ListedTask[]>(keys.tasks, (tasks) => tasks.map(patch))
  update<ListedTask[]>(keys.openTasks, (tasks) => {
    const there = new Set(tasks.map(({ id }) => id))
    const returned = [...shown.values()]
      .filter((task): task is Task => 'title' in task && 'createdAt' in task)
      .filter((task) => !there.has(task.id))
      .map((task): ListedTask => ({ timeBlocks: [], ...task }))
    return [...tasks, ...returned].filter(isOpen)
  })
  update<FullTask>(['task'], (task) => ({
    ...patch(task),
    subtasks: task.subtasks.map((subtask) => patch(subtask)),
  }))
  update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
    blocks.map((block) => (block.task ? { ...block, task: patchName(block.task, shown) } : block)),
  )
}

type TaskOfBlock = NonNullable<ListedTimeBlock['task']>

function patchName(task: TaskOfBlock, shown: Map<string, Partial<Task>>): TaskOfBlock {
  const {
    title = task.title,
    priority = task.priority,
    status = task.status,
  } = shown.get(task.id) ?? {}
  return { id: task.id, title, priority, status }
}

type FieldsOf = (id: string) => string[] | undefined

/** Sends a request for each task. If one fails, reverts the others, and reports those that could not be reverted. */
async function allOrNone<Answer>(
  tasks: Task[],
  fieldsOf: FieldsOf,
  send: (task: Task) => Promise<Answer>,
) {
  const { done, failed, error, answers } = await each(tasks, send, { stopsAtFailure: true })
  if (failed.length === 0) return answers
  const changed = changedAmong(done, answers, fieldsOf)
  const { answers: events, failed: stuck } = await each(changed, ({ id }) =>
    revertLast(id, fieldsOf(id)),
  )
  for (const event of onePerRequest(events)) await revertBlocks(event)
  // Without an answer it is unknown whether the request was carried out.
  const unclear = error instanceof Refusal || done.length === 0 ? [] : failed
  if (stuck.length + unclear.length > 0) throw partlyDone([...stuck, ...unclear], error)
  throw error
}

const partlyDone = (tasks: Task[], cause: unknown) =>
  new PartlyDone(
    tasks.map(({ title }) => title),
    cause,
  )

const atOnce = 6

/** Runs the work for each task, a few at a time; `error` is that of the first failure. */
async function each<Answer>(
  tasks: Task[],
  work: (task: Task) => Promise<Answer>,
  { stopsAtFailure = false } = {},
) {
  const done: Task[] = []
  const failed: Task[] = []
  const answers: Answer[] = []
  let error: unknown
  for (const some of chunksOf(tasks, atOnce)) {
    const outcomes = await Promise.allSettled(some.map(work))
    for (const [index, task] of some.entries()) {
      const outcome = outcomes[index]
      if (outcome?.status === 'fulfilled') {
        done.push(task)
        answers.push(outcome.value)
      } else {
        failed.push(task)
        error ??= outcome?.reason
      }
    }
    if (stopsAtFailure && failed.length > 0) break
  }
  return { done, failed, answers, error }
}

const chunksOf = <Item>(items: Item[], size: number) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

const mapValues = <Key, Value, Other>(map: Map<Key, Value>, of: (value: Value) => Other) =>
  new Map([...map].map(([key, value]) => [key, of(value)]))
