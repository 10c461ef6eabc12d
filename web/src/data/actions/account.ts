import type { PlanningPreferences, Profile, Settings } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'

type ProfileChanges = { displayName?: string; timezone?: string }

export const updateProfile = (profile: Profile, changes: ProfileChanges, says: string): Action => ({
  says,
  expect: ({ update }) => update<Profile>(keys.profile, (now) => ({ ...now, ...changes })),
  record: 'profile',
  send: () => api.user.update(changes),
  refreshes: [keys.profile],
  undo: () => {
    const { displayName, timezone } = profile
    return updateProfile({ ...profile, ...changes }, { displayName, timezone }, 'Undone.')
  },
})

export const updateSettings = (
  settings: Settings,
  changes: Partial<Settings>,
  says: string,
): Action => ({
  says,
  expect: ({ update }) => update<Settings>(keys.settings, (now) => ({ ...now, ...changes })),
  record: 'settings',
  send: () => api.settings.update(changes),
  refreshes: [keys.settings],
  undo: () => updateSettings({ ...settings, ...changes }, settings, 'Undone.'),
})

/** Changes some of the user's planning preferences; the others stay as they are. */
export const updatePlanning = (
  settings: Settings,
  changes: Partial<PlanningPreferences>,
  says: string,
): Action => ({
  says,
  expect: ({ update }) =>
    update<Settings>(keys.settings, (now) => ({
      ...now,
      planning: { ...now.planning, ...changes },
    })),
  record: 'settings',
  send: () => api.settings.update({ planning: changes }),
  refreshes: [keys.settings],
  undo: () => updateSettings(settings, { planning: settings.planning }, 'Undone.'),
})
