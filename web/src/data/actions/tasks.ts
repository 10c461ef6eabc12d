import type { Client } from '@daywright/client'
import type { ListedTask, Task } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import type { Expect } from '../optimistic-update.ts'
import { scheduleForNew } from '../preferences.ts'
import { PartlyDone } from '../partly-done.ts'
import { deleteTasks, nameOf } from './change-tasks.ts'

export type NewTask = Parameters<Client['tasks']['create']>[0]
export const createTask = (task: NewTask): Action<Task> => ({
  says: `Added “${task.title}”.`,
  send: () => send(task),
  settle: (made, expect) => show([made], expect),
  refreshes: refreshesOf([task]),
  undo: (made) => deleteTasks([made]),
})

/** Adds several tasks in one step. If one is refused, those before it are deleted again. */
export const createTasks = (tasks: NewTask[]): Action<Task[]> => ({
  says: `Added ${nameOf(tasks)}.`,
  send: async () => {
    const made: Task[] = []
    for (const task of tasks) {
      made.push(await send(task).catch((error: unknown) => deleteAgain(made, error)))
    }
    return made
  },
  settle: show,
  refreshes: refreshesOf(tasks),
  undo: deleteTasks,
})

const refreshesOf = (tasks: NewTask[]) => {
  const parents = new Set(tasks.map(({ parentTaskId }) => parentTaskId))
  const shown = [...parents].flatMap((id) => (id ? [keys.task(id)] : []))
  return [keys.projects, keys.spaces, keys.planner, ...shown]
}

const send = (task: NewTask) => api.tasks.create(withDefaults(task))

/** Adds the app's default session lengths and hours to a task. */
export const withDefaults = (task: NewTask): NewTask => ({
  ...sessionsOf(task),
  schedulePreferenceId: scheduleForNew(task),
  ...task,
})

function show(made: Task[], expect: Expect) {
  const listed = made.map((task) => ({ ...task, timeBlocks: [] }))
  for (const list of [keys.openTasks, keys.allTasks]) {
    expect.update<ListedTask[]>(list, (tasks) => [
      ...tasks,
      ...listed.filter(({ id }) => !tasks.some((task) => task.id === id)),
    ])
  }
}

async function deleteAgain(made: Task[], error: unknown): Promise<never> {
  const left: string[] = []
  for (const { id, title } of made) {
    await api.tasks.delete(id, { permanent: true }).catch(() => left.push(title))
  }
  throw left.length > 0 ? new PartlyDone(left, error) : error
}

/** The default session lengths, which the task's own values override. */
function sessionsOf({ estimateMinutes }: NewTask) {
  const least = Math.min(30, estimateMinutes || 30)
  return { minSessionMinutes: least, maxSessionMinutes: 120, cooldownMinutes: 0 }
}
