import type { Label, ListedLabel } from '@daywright/contract'
import { api, type Refusal } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import { revertChange, revertLast } from '../undo.ts'

const around = [keys.labels, keys.tasks, ['task']]
const back = (id: string): Action => ({ send: () => revertLast(id), refreshes: around })
const onRefused = ({ status }: Refusal) =>
  status === 409 ? 'You already have a label with this name.' : undefined

export const createLabel = (name: string, color: string): Action<Label> => ({
  says: `Created label “${name}”.`,
  send: () => api.labels.create({ name, color }),
  settle: (made, expect) =>
    expect.update<ListedLabel[]>(keys.labels, (labels) =>
      labels.some(({ id }) => id === made.id)
        ? labels
        : [...labels, { ...made, _count: { tasks: 0 } }],
    ),
  refreshes: [keys.labels],
  undo: (made) => back(made.id),
  onRefused,
})

export const updateLabel = (
  label: Label,
  changes: { name?: string; color?: string },
  says: string,
): Action => ({
  says,
  expect: ({ update }) =>
    update<ListedLabel[]>(keys.labels, (labels) =>
      labels.map((each) => (each.id === label.id ? { ...each, ...changes } : each)),
    ),
  record: label.id,
  send: () => api.labels.update(label.id, changes),
  refreshes: around,
  undo: (answer) => ({
    send: () => revertChange(label, answer, Object.keys(changes)),
    refreshes: around,
  }),
  onRefused,
})

export const deleteLabel = (label: Label): Action => ({
  says: `Deleted the label “${label.name}”.`,
  expect: ({ update }) =>
    update<ListedLabel[]>(keys.labels, (labels) => labels.filter(({ id }) => id !== label.id)),
  send: () => api.labels.delete(label.id),
  refreshes: around,
  undo: () => back(label.id),
})
