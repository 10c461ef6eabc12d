import type { ListedSpace, Space } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import { revertChange, revertLast } from '../undo.ts'

const around = [keys.spaces, keys.projects, keys.tasks, keys.documents]
const back = (id: string): Action => ({ send: () => revertLast(id), refreshes: around })

export const createSpace = (name: string, color: string): Action<Space> => ({
  says: `Created space “${name}”.`,
  send: () => api.spaces.create({ name, color }),
  settle: (made, expect) =>
    expect.update<ListedSpace[]>(keys.spaces, (spaces) =>
      spaces.some(({ id }) => id === made.id)
        ? spaces
        : [...spaces, { ...made, projects: [], _count: { tasks: 0, documents: 0 } }],
    ),
  refreshes: [keys.spaces],
  undo: (made) => back(made.id),
})

type Changes = {
  name?: string
  color?: string
  sortOrder?: number
}

export const updateSpace = (space: Space, changes: Changes, says: string): Action => ({
  says,
  expect: ({ update }) =>
    update<ListedSpace[]>(keys.spaces, (spaces) =>
      spaces
        .map((each) => (each.id === space.id ? { ...each, ...changes } : each))
        .toSorted((one, other) => one.sortOrder - other.sortOrder),
    ),
  record: space.id,
  send: () => api.spaces.update(space.id, changes),
  refreshes: around,
  undo: (answer) => ({
    send: () => revertChange(space, answer, Object.keys(changes)),
    refreshes: around,
  }),
})

/** Deletes a space. Its contents stay, without a space. */
export const deleteSpace = (space: Space): Action => ({
  says: `Deleted the space “${space.name}”.`,
  expect: ({ update }) =>
    update<ListedSpace[]>(keys.spaces, (spaces) => spaces.filter(({ id }) => id !== space.id)),
  send: () => api.spaces.delete(space.id),
  refreshes: around,
  undo: () => back(space.id),
})
