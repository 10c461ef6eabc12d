import type { ListedTask } from '@daywright/contract'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { isOpen } from '../../../data/actions/change-tasks.ts'
import { estimate, rename, setStatus } from '../../../data/actions/task-fields.ts'
import { perform } from '../../../data/run-mutation.ts'
import type { Edit } from '../fields/field-editor.tsx'
import type { Selection } from './selection.ts'
import type { RowHandlers } from './row-props.ts'

type List = {
  focus: { setKey: (key: string) => void; take: () => void }
  order: string[]
  selection: Selection
  onOpen: (task: ListedTask) => void
  setEdit: (edit: Edit) => void
  setRenamed: (id: string | undefined) => void
}

/** Stable handlers, so that a change of one row does not redraw the others. */
export function useRowHandlers(list: List): RowHandlers {
  const latest = useRef(list)
  useLayoutEffect(() => {
    latest.current = list
  })
  return useMemo(
    () => ({
      complete: (task) => void perform(setStatus([task], isOpen(task) ? 'completed' : 'todo')),
      toggle: (task, isRange) => {
        const { focus, selection, order } = latest.current
        focus.setKey(task.id)
        if (isRange) selection.extendTo(task.id, order)
        else selection.toggle(task.id)
      },
      edit: (task, field, anchor) => {
        latest.current.focus.setKey(task.id)
        latest.current.setEdit({ tasks: [task], field, anchor })
      },
      estimate: (task, minutes) => void perform(estimate([task], minutes)),
      startRename: (task) => latest.current.setRenamed(task.id),
      rename: (task, title) => {
        latest.current.setRenamed(undefined)
        latest.current.focus.take()
        if (title !== undefined) void perform(rename(task, title))
      },
      open: (task) => {
        latest.current.focus.setKey(task.id)
        latest.current.onOpen(task)
      },
    }),
    [],
  )
}
