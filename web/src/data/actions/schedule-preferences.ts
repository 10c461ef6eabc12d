import type { SchedulePreference, Window } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import { revertChange, revertLast } from '../undo.ts'

const around = [keys.preferences, keys.planner]
const back = (id: string): Action => ({ send: () => revertLast(id), refreshes: around })

export const createPreference = (
  name: string,
  windows: Window[],
  priority: number,
): Action<SchedulePreference> => ({
  says: `Created “${name}”.`,
  send: () => api.schedulePreferences.create({ name, windows, priority }),
  settle: (made, expect) =>
    expect.update<SchedulePreference[]>(keys.preferences, (all) =>
      all.some(({ id }) => id === made.id) ? all : [...all, made],
    ),
  refreshes: around,
  undo: (made) => back(made.id),
})

type Changes = { name?: string; windows?: Window[]; priority?: number }

export const updatePreference = (
  preference: SchedulePreference,
  changes: Changes,
  says: string,
): Action => ({
  says,
  expect: ({ update }) =>
    update<SchedulePreference[]>(keys.preferences, (all) =>
      all.map((each) => (each.id === preference.id ? { ...each, ...changes } : each)),
    ),
  record: preference.id,
  send: () => api.schedulePreferences.update(preference.id, changes),
  refreshes: around,
  undo: (answer) => ({
    send: () => revertChange(preference, answer, Object.keys(changes)),
    refreshes: around,
  }),
})

/** Orders the schedules by priority, the highest first. The app calls the first one working hours. */
export const orderPreferences = (ordered: SchedulePreference[]): Action => {
  const changed = ordered
    .map((preference, index) => ({ preference, priority: ordered.length - index }))
    .filter(({ preference, priority }) => preference.priority !== priority)
  return {
    says: 'Changed the order.',
    expect: ({ update }) =>
      update<SchedulePreference[]>(keys.preferences, (all) =>
        all.map((each) => ({
          ...each,
          priority:
            changed.find(({ preference }) => preference.id === each.id)?.priority ?? each.priority,
        })),
      ),
    send: () =>
      Promise.all(
        changed.map(({ preference, priority }) =>
          api.schedulePreferences.update(preference.id, { priority }),
        ),
      ),
    refreshes: around,
    undo: () => ({
      send: () =>
        Promise.all(changed.map(({ preference: { id } }) => revertLast(id, ['priority']))),
      refreshes: around,
    }),
  }
}

export const deletePreference = (preference: SchedulePreference): Action => ({
  says: `Deleted “${preference.name}”.`,
  expect: ({ update }) =>
    update<SchedulePreference[]>(keys.preferences, (all) =>
      all.filter(({ id }) => id !== preference.id),
    ),
  send: () => api.schedulePreferences.delete(preference.id),
  refreshes: [...around, keys.tasks],
  undo: () => back(preference.id),
})

/** Creates a schedule for all tasks that used the planner's default hours. */
export const setDefaultHours = (windows: Window[]): Action<SchedulePreference> => ({
  says: 'Your default hours are longer.',
  send: async () => {
    const made = await api.schedulePreferences.create({
      name: 'Working hours',
      windows,
      priority: -1,
    })
    await api.settings.update({ schedulePreferenceId: made.id })
    return made
  },
  refreshes: [...around, keys.settings],
  undo: (made) => ({
    send: () => api.schedulePreferences.delete(made.id),
    refreshes: [...around, keys.settings],
  }),
})

/** Creates a schedule for a task that used the default hours. */
export const giveHours = (
  task: { id: string; title: string },
  name: string,
  windows: Window[],
): Action<SchedulePreference> => ({
  says: `“${task.title}” has longer hours.`,
  send: async () => {
    const made = await api.schedulePreferences.create({ name, windows, priority: -1 })
    await api.tasks.update(task.id, { schedulePreferenceId: made.id })
    return made
  },
  refreshes: [...around, keys.tasks],
  undo: (made) => ({
    send: () => api.schedulePreferences.delete(made.id),
    refreshes: [...around, keys.tasks],
  }),
})
