import type { Task } from '@daywright/contract'
import { type Command, useCommands } from '../../../ui/commands/registry.ts'
import { deleteTasks, finishTasks, isOpen } from '../../../data/actions/change-tasks.ts'
import { prioritise, priorityNames, setStatus } from '../../../data/actions/task-fields.ts'
import { perform } from '../../../data/run-mutation.ts'
import type { Action } from '../../../data/action.ts'
import { digits, type EditedField } from '../fields/field-editor.tsx'

type List = {
  /** The selected tasks, or the focused one. */
  targets: Task[]
  isSelecting: boolean
  clear: () => void
  selectAll: () => void
  move: (by: number) => void
  edit: (field: EditedField) => void
  rename: () => void
}

export function useListCommands(list: List) {
  const { targets, clear } = list
  const isDisabled = targets.length === 0
  const group = 'Tasks in the list'

  function finish(action: Action) {
    clear()
    void perform(action)
  }
  const command = (keys: string, title: string, run: () => void): Command => ({
    id: `list ${title}`,
    title,
    group,
    keys,
    isDisabled,
    run,
  })
  /** A command that is only listed: the focused row handles Enter and Space, which buttons use as well. */
  const shownOnly = (keys: string, title: string): Command => ({
    ...command(keys, title, () => {}),
    isDisabled: true,
    isKeyOnly: true,
  })

  useCommands([
    { ...command('j', 'Next task', () => list.move(1)), isKeyOnly: true },
    { ...command('k', 'Previous task', () => list.move(-1)), isKeyOnly: true },
    shownOnly('enter', 'Open'),
    shownOnly('space', 'Select'),
    command('mod+a', 'Select all', list.selectAll),
    command('x', 'Complete or reopen', () =>
      finish(setStatus(targets, targets.every(isOpen) ? 'completed' : 'todo')),
    ),
    ...Object.entries(digits).map(([digit, priority]) =>
      command(digit, `Priority: ${priorityNames[priority].toLowerCase()}`, () => {
        void perform(prioritise(targets, priority))
      }),
    ),
    command('e', 'Estimate', () => list.edit('estimate')),
    command('d', 'Due date', () => list.edit('dueAt')),
    command('m', 'Move to a space or project', () => list.edit('place')),
    command('l', 'Labels', () => list.edit('labels')),
    command('s', 'Status', () => list.edit('status')),
    command('f2', 'Rename', list.rename),
    command('a', 'Archive', () => finish(finishTasks(targets, 'archive'))),
    command('delete', 'Delete', () => finish(deleteTasks(targets))),
    {
      ...command('escape', 'Clear the selection', clear),
      isDisabled: !list.isSelecting,
      isKeyOnly: true,
    },
  ])
}
