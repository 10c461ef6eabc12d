import type { Client } from '@daywright/client'
import type { ListedTask, Task } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import type { Expect } from '../optimistic-update.ts'
import { PartlyDone } from '../partly-done.ts'
import { deleteTasks, nameOf } from './change-tasks.ts'

export type NewTask = Parameters<Client['tasks']['create']>[0]
export const createTask = (task: NewTask): Action<Task> => ({
  says: `Added “${task.title}”.`,
  send: () => api.tasks.create(task),
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
      made.push(await api.tasks.create(task).catch((error: unknown) => deleteAgain(made, error)))
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
