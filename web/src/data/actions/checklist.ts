import type { ChecklistItem, FullTask, ListedTask } from '@daywright/contract'
import { api } from '../api.ts'
import type { Expect } from '../optimistic-update.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import { newProvisionalId, resolveProvisionalId } from '../provisional-ids.ts'
import { revertChange, revertLast } from '../undo.ts'

type Items = (items: ChecklistItem[]) => ChecklistItem[]

/** Updates the task itself and its entries in lists. */
function change({ update }: Expect, taskId: string, items: Items) {
  update<FullTask>(keys.task(taskId), (task) => ({
    ...task,
    checklistItems: items(task.checklistItems),
  }))
  update<ListedTask[]>(keys.tasks, (tasks) =>
    tasks.map((task) =>
      task.id === taskId ? { ...task, checklistItems: items(task.checklistItems) } : task,
    ),
  )
}

const queriesOf = (taskId: string) => [keys.task(taskId)]

export function addItem(taskId: string, title: string): Action<ChecklistItem> {
  const provisional = newProvisionalId()
  return {
    expect: (expect) =>
      change(expect, taskId, (items) => [
        ...items,
        { id: provisional, taskId, title, completed: false, sortOrder: items.length },
      ]),
    send: () => resolveProvisionalId(provisional, api.checklistItems.create({ taskId, title })),
    // Replace only the id: the user may have changed or moved the item meanwhile.
    settle: (made, expect) =>
      change(expect, taskId, (items) =>
        items.some(({ id }) => id === provisional)
          ? items
              .filter(({ id }) => id !== made.id)
              .map((item) => (item.id === provisional ? { ...item, id: made.id } : item))
          : items,
      ),
    refreshes: queriesOf(taskId),
    undo: (made) => removeItem(made),
  }
}

export const changeItem = (
  item: ChecklistItem,
  changes: Partial<Pick<ChecklistItem, 'title' | 'completed'>>,
): Action => ({
  expect: (expect) =>
    change(expect, item.taskId, (items) =>
      items.map((each) => (each.id === item.id ? { ...each, ...changes } : each)),
    ),
  record: item.id,
  send: () => api.checklistItems.update(item.id, changes),
  refreshes: queriesOf(item.taskId),
  undo: (answer) => ({
    send: () => revertChange(item, answer, Object.keys(changes)),
    refreshes: queriesOf(item.taskId),
  }),
})

export const removeItem = (item: ChecklistItem): Action => ({
  says: `Removed “${item.title}”.`,
  expect: (expect) =>
    change(expect, item.taskId, (items) => items.filter(({ id }) => id !== item.id)),
  send: () => api.checklistItems.delete(item.id),
  undo: () => ({ send: () => revertLast(item.id), refreshes: queriesOf(item.taskId) }),
})

/** Sends only the items whose position has changed. */
export function orderItems(taskId: string, ordered: ChecklistItem[]): Action {
  const moved = ordered
    .map((item, sortOrder) => ({ item, sortOrder }))
    .filter(({ item, sortOrder }) => item.sortOrder !== sortOrder)
  const placed = ordered.map((item, sortOrder) => ({ ...item, sortOrder }))
  return {
    expect: (expect) => change(expect, taskId, () => placed),
    send: () =>
      Promise.all(
        moved.map(({ item, sortOrder }) => api.checklistItems.update(item.id, { sortOrder })),
      ),
    undo: () => ({
      send: () => Promise.all(moved.map(({ item }) => revertLast(item.id))),
      refreshes: queriesOf(taskId),
    }),
  }
}
