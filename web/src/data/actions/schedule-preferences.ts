import type { SchedulePreference, Window } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import { plannersWindows } from '../schedules.ts'
import type { Action } from '../action.ts'
import { revertChange, revertLast } from '../undo.ts'

const around = [keys.preferences, keys.planner]
const aroundDefault = [...around, keys.settings]
// Everything that may refer to a schedule.
const aroundDeletion = [...aroundDefault, keys.tasks, keys.defaultSchedules]
const back = (id: string): Action => ({ send: () => revertLast(id), refreshes: aroundDeletion })

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

type Changes = { name?: string; windows?: Window[] }

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

export const deletePreference = (preference: SchedulePreference): Action => ({
  says: `Deleted “${preference.name}”.`,
  expect: ({ update }) =>
    update<SchedulePreference[]>(keys.preferences, (all) =>
      all.filter(({ id }) => id !== preference.id),
    ),
  send: () => api.schedulePreferences.delete(preference.id),
  refreshes: aroundDeletion,
  undo: () => back(preference.id),
})

const createDefault = (windows: Window[], says: string): Action<SchedulePreference> => ({
  says,
  send: async () => {
    const made = await api.schedulePreferences.create({ name: 'Working hours', windows })
    try {
      await api.settings.update({ schedulePreferenceId: made.id })
    } catch (error) {
      // Otherwise a second attempt would create a second schedule.
      await api.schedulePreferences.delete(made.id).catch(() => {})
      throw error
    }
    return made
  },
  refreshes: aroundDefault,
  undo: (made) => ({
    send: () => api.schedulePreferences.delete(made.id),
    refreshes: aroundDeletion,
  }),
})

/** Creates a schedule with the planner's default hours, and makes it the default of the account. */
export const setWorkingHours = () =>
  createDefault(plannersWindows, 'Tasks are planned in “Working hours” from now on.')

/** Creates a schedule for all tasks that used the planner's default hours. */
export const extendDefaultHours = (windows: Window[]) =>
  createDefault(windows, 'Your default hours are longer.')
