import type { Client } from '@daywright/client'
import type { ListedTask, Task } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../perform.ts'
import { workingHoursId } from '../preferences.ts'
import { deleteTasks } from './change-tasks.ts'

export type NewTask = Parameters<Client['tasks']['create']>[0]
export type TaskChanges = Parameters<Client['tasks']['update']>[1]

export const createTask = (task: NewTask): Action<Task> => ({
  says: `Added “${task.title}”.`,
  send: () =>
    api.tasks.create({ ...sessionsOf(task), schedulePreferenceId: workingHoursId(), ...task }),
  settle: (made, expect) => {
    for (const list of [keys.openTasks, keys.allTasks]) {
      expect.update<ListedTask[]>(list, (tasks) =>
        tasks.some(({ id }) => id === made.id) ? tasks : [...tasks, { ...made, timeBlocks: [] }],
      )
    }
  },
  refreshes: [keys.projects, keys.spaces, keys.planner],
  undo: (made) => deleteTasks([made]),
})

/** The default session lengths, unless the user chose others. */
function sessionsOf({ estimateMinutes }: NewTask) {
  const least = Math.min(30, estimateMinutes || 30)
  return { minSessionMinutes: least, maxSessionMinutes: 120, cooldownMinutes: 0 }
}
