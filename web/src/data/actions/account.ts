import type { Profile, Settings } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../perform.ts'

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
