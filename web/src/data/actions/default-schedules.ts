import type { DefaultSchedules } from '@daywright/contract'
import { api } from '../api.ts'
import type { Action } from '../action.ts'
import { keys } from '../keys.ts'
import { revertChange } from '../undo.ts'

type Place = { kind: 'space' | 'project'; id: string; name: string }
type Schedule = { schedulePreferenceId: string | null }

const refreshes = [keys.defaultSchedules]

/** Sets the hours of the tasks in a space or project that have none of their own; null clears them. */
export const setDefaultSchedule = (place: Place, was: Schedule, next: Schedule): Action => ({
  says: `Changed the hours of “${place.name}”.`,
  expect: ({ update }) =>
    update<DefaultSchedules>(keys.defaultSchedules, (all) => replaced(all, place, next)),
  record: place.id,
  send: () =>
    place.kind === 'space'
      ? api.defaultSchedules.setOfSpace(place.id, next)
      : api.defaultSchedules.setOfProject(place.id, next),
  refreshes,
  undo: (answer) => ({
    send: () => revertChange({ id: place.id, ...was }, answer, ['schedulePreferenceId']),
    refreshes,
  }),
})

function replaced(
  { spaces, projects }: DefaultSchedules,
  { kind, id }: Place,
  { schedulePreferenceId }: Schedule,
): DefaultSchedules {
  const set = schedulePreferenceId === null ? [] : [{ schedulePreferenceId }]
  return kind === 'space'
    ? {
        spaces: [
          ...spaces.filter(({ spaceId }) => spaceId !== id),
          ...set.map((schedule) => ({ spaceId: id, ...schedule })),
        ],
        projects,
      }
    : {
        spaces,
        projects: [
          ...projects.filter(({ projectId }) => projectId !== id),
          ...set.map((schedule) => ({ projectId: id, ...schedule })),
        ],
      }
}
