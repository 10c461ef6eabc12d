import type { Client } from '@daywright/client'
import type { FullTask, ListedTask, ListedTimeBlock, Task } from '@daywright/contract'
import { api } from '../api.ts'
import type { Expect } from '../expectation.ts'
import { keys } from '../keys.ts'
import type { Action } from '../perform.ts'
import { workingHoursId } from '../preferences.ts'
import { revertLast } from '../undo.ts'

export type NewTask = Parameters<Client['tasks']['create']>[0]
export type TaskChanges = Parameters<Client['tasks']['update']>[1]

const around = [keys.projects, keys.spaces, keys.planner]

/** Every list, the task by itself, and its name on its blocks. */
function patchTask(expect: Expect, id: string, patch: Partial<Task>) {
  expect.update<ListedTask[]>(keys.tasks, (tasks) =>
    tasks.map((task) => (task.id === id ? { ...task, ...patch } : task)),
  )
  expect.update<FullTask>(keys.task(id), (task) => ({ ...task, ...patch }))
  const { title, priority, status } = patch
  if (title === undefined && priority === undefined && status === undefined) return
  expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
    blocks.map((block) =>
      block.task?.id === id
        ? {
            ...block,
            task: {
              ...block.task,
              ...(title !== undefined && { title }),
              ...(priority !== undefined && { priority }),
              ...(status !== undefined && { status }),
            },
          }
        : block,
    ),
  )
}

export const createTask = (task: NewTask): Action<Task> => ({
  says: `Added “${task.title}”.`,
  send: () =>
    api.tasks.create({ ...sessionsOf(task), schedulePreferenceId: workingHoursId(), ...task }),
  settle: (made, expect) =>
    expect.update<ListedTask[]>(keys.tasks, (tasks) =>
      tasks.some(({ id }) => id === made.id) ? tasks : [...tasks, { ...made, timeBlocks: [] }],
    ),
  refreshes: around,
  undo: (made) => deleteTask(made, { permanent: true }),
})

/** Sittings that are worth sitting down for, where the user has not said otherwise. */
function sessionsOf({ estimateMinutes }: NewTask) {
  const least = Math.min(30, estimateMinutes || 30)
  return { minSessionMinutes: least, maxSessionMinutes: 120, cooldownMinutes: 0 }
}

/** What is shown at once: the fields whose value is known without asking. */
function foreseen(changes: TaskChanges): Partial<Task> {
  const { dueAt, startAfter, completedAt, labelIds: _labels, ...rest } = changes
  const dates = Object.entries({ dueAt, startAfter, completedAt })
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, value === '' || value === null ? null : new Date(value ?? '')])
  return { ...(rest as Partial<Task>), ...(Object.fromEntries(dates) as Partial<Task>) }
}

export const updateTask = (task: Task, changes: TaskChanges, says?: string): Action<Task> => ({
  says: says ?? `Changed “${task.title}”.`,
  expect: (expect) => patchTask(expect, task.id, foreseen(changes)),
  record: task.id,
  send: () => api.tasks.update(task.id, changes),
  settle: (answer, expect) => patchTask(expect, task.id, answer),
  refreshes: around,
  undo: () => ({
    expect: (expect) => patchTask(expect, task.id, former(task, changes)),
    send: () => revertLast(task.id),
    refreshes: [...around, keys.task(task.id)],
  }),
})

const former = (task: Task, changes: TaskChanges) =>
  Object.fromEntries(
    Object.entries(task).filter(
      ([field]) => field in changes || (field === 'labels' && 'labelIds' in changes),
    ),
  ) as Partial<Task>

/** Done, at this moment: it leaves the open lists, and its blocks to come are taken away. */
export const completeTasks = (tasks: Task[]): Action => ({
  says: tasks.length === 1 ? `Completed “${tasks[0]?.title}”.` : `Completed ${tasks.length} tasks.`,
  expect: (expect) => {
    for (const { id } of tasks) patchTask(expect, id, { status: 'completed' })
    removeFrom(expect, keys.openTasks, tasks)
  },
  send: () => batch('complete', tasks),
  refreshes: [...around, keys.blocks, keys.allTasks],
  undo: () => backTo(tasks),
})

export const archiveTasks = (tasks: Task[]): Action => ({
  says: tasks.length === 1 ? `Archived “${tasks[0]?.title}”.` : `Archived ${tasks.length} tasks.`,
  expect: (expect) => removeFrom(expect, keys.openTasks, tasks),
  send: () => batch('archive', tasks),
  refreshes: [...around, keys.blocks, keys.allTasks],
  undo: () => backTo(tasks),
})

export const deleteTask = (
  task: Pick<Task, 'id' | 'title'>,
  removal: { permanent?: boolean } = {},
): Action => ({
  says: removal.permanent ? `Deleted “${task.title}”.` : `Archived “${task.title}”.`,
  expect: (expect) => {
    removeFrom(expect, keys.tasks, [task])
    expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
      blocks.filter(({ taskId }) => taskId !== task.id),
    )
  },
  send: () => api.tasks.delete(task.id, removal),
  refreshes: [...around, keys.blocks, keys.tasks],
  undo: () => ({
    send: () => revertLast(task.id),
    refreshes: [...around, keys.tasks, keys.blocks],
  }),
})

const mostAtOnce = 1000

async function batch(action: 'complete' | 'archive', tasks: Task[]) {
  const ids = tasks.map(({ id }) => id)
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    await api.tasks.batch(action, ids.slice(from, from + mostAtOnce))
  }
}

/** The service knows how each was; a few at a time, for it has other callers. */
const backTo = (tasks: Task[]): Action => ({
  send: async () => {
    for (let from = 0; from < tasks.length; from += 8) {
      await Promise.all(tasks.slice(from, from + 8).map(({ id }) => revertLast(id)))
    }
  },
  refreshes: [...around, keys.tasks, keys.blocks],
})

function removeFrom(expect: Expect, key: readonly string[], tasks: Pick<Task, 'id'>[]) {
  const ids = new Set(tasks.map(({ id }) => id))
  expect.update<ListedTask[]>(key, (list) => list.filter(({ id }) => !ids.has(id)))
}
