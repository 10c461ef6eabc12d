// Changes of one task or of many together: shown at once, all of them or none, and taken back so.
import type { BareTask, FullTask, ListedTask, ListedTimeBlock, Task } from '@daywright/contract'
import { api } from '../api.ts'
import type { Expect } from '../expectation.ts'
import { keys } from '../keys.ts'
import type { Action } from '../perform.ts'
import { revertLast } from '../undo.ts'
import type { TaskChanges } from './tasks.ts'

/** What is sent, and what of the task is seen to change by it. */
export type Change = { changes: TaskChanges; shown: Partial<Task> }

const around = [keys.projects, keys.spaces, keys.planner]
const everything = [...around, keys.tasks, keys.blocks]

export const isOpen = ({ status }: Pick<BareTask, 'status'>) =>
  status === 'backlog' || status === 'todo' || status === 'in_progress'

/** `“Write report”`, or `7 tasks`. */
export const nameOf = (tasks: Pick<Task, 'title'>[]) =>
  tasks.length === 1 ? `“${tasks[0]?.title}”` : `${tasks.length} tasks`

export function changeTasks(
  tasks: Task[],
  changeOf: (task: Task) => Change,
  says = `Changed ${nameOf(tasks)}.`,
): Action {
  const changed = new Map(tasks.map((task) => [task.id, changeOf(task)]))
  return {
    says,
    expect: (expect) =>
      show(
        expect,
        mapValues(changed, ({ shown }) => shown),
      ),
    record: recordOf(tasks),
    send: () => allOrNone(tasks, ({ id }) => api.tasks.update(id, changed.get(id)?.changes ?? {})),
    settle: (answers, expect) =>
      show(expect, new Map((answers as Task[]).map((task) => [task.id, task]))),
    refreshes: [...around, keys.allTasks],
    undo: () => takeBack(tasks, (id) => Object.keys(changed.get(id)?.changes ?? {})),
  }
}

const recordOf = (tasks: Task[]) => tasks.map(({ id }) => id).join()

/** Done, or put away: both by one request for all. */
export function finishTasks(tasks: Task[], how: 'complete' | 'archive'): Action {
  const status = how === 'complete' ? ('completed' as const) : ('archived' as const)
  return {
    says: `${how === 'complete' ? 'Completed' : 'Archived'} ${nameOf(tasks)}.`,
    expect: (expect) => show(expect, new Map(tasks.map(({ id }) => [id, { status }]))),
    record: recordOf(tasks),
    send: async () => {
      for (const some of chunksOf(tasks, 1000)) {
        await api.tasks.batch(
          how,
          some.map(({ id }) => id),
        )
      }
    },
    refreshes: [...around, keys.blocks, keys.allTasks, archivedKey],
    undo: () => takeBack(tasks),
  }
}

/** Gone for good, unless it is undone. */
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
  send: () => allOrNone(tasks, ({ id }) => api.tasks.delete(id, { permanent: true })),
  refreshes: everything,
  undo: () => takeBack(tasks),
})

/** Archived ones are not in the lists of open tasks; this is the list that they are in. */
export const archivedKey = ['tasks', 'archived'] as const

const takeBack = (tasks: Task[], fieldsOf?: (id: string) => string[]): Action => ({
  expect: (expect) => show(expect, new Map(tasks.map((task) => [task.id, task]))),
  send: () => pooled(tasks, ({ id }) => revertLast(id, fieldsOf?.(id))),
  refreshes: [...everything, ['task']],
})

/** In every list that has them, on their own, below their parents and on their blocks. */
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

/** Where one is refused, those before it are put back: nothing is half done. */
async function allOrNone<Answer>(tasks: Task[], send: (task: Task) => Promise<Answer>) {
  const done: Task[] = []
  try {
    return await pooled(tasks, async (task) => {
      const answer = await send(task)
      done.push(task)
      return answer
    })
  } catch (error) {
    await pooled(done, ({ id }) => revertLast(id).catch(() => {}))
    throw error
  }
}

const atOnce = 6

async function pooled<Item, Answer>(items: Item[], work: (item: Item) => Promise<Answer>) {
  const answers: Answer[] = []
  for (const some of chunksOf(items, atOnce)) {
    // All of them come to an end, also where one is refused: who puts them back must know of each.
    const outcomes = await Promise.allSettled(some.map(work))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason
      answers.push(outcome.value)
    }
  }
  return answers
}

const chunksOf = <Item>(items: Item[], size: number) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

const mapValues = <Key, Value, Other>(map: Map<Key, Value>, of: (value: Value) => Other) =>
  new Map([...map].map(([key, value]) => [key, of(value)]))
