import type { ListedTask } from '@daywright/contract'
import { useRef, useState } from 'react'
import { type Edit, FieldEditor } from '../fields/field-editor.tsx'
import type { Group } from '../groups.ts'
import '../tasks.css'
import { BatchBar } from './batch-bar.tsx'
import { useListCommands } from './list-commands.ts'
import { cellOf, stepFrom, useListFocus } from './list-focus.ts'
import { handleListKey } from './list-keys.ts'
import { useSelection } from './selection.ts'
import { useRowHandlers } from './row-handlers.ts'
import { useTouchSelection } from './touch-selection.ts'
import { useRows } from './use-rows.ts'
import { useVirtualRows } from './use-virtual-rows.ts'
import { VirtualRows } from './virtual-rows.tsx'

type Props = {
  label: string
  groups: Group[]
  /** The task that is open beside the list. */
  shownId?: string | undefined
  onOpen: (task: ListedTask) => void
}

/** Every task of the groups; only visible rows are drawn. */
export function TaskList({ label, groups, shownId, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [edit, setEdit] = useState<Edit>()
  const [renamed, setRenamed] = useState<string>()
  const selection = useSelection()
  const touch = useTouchSelection(selection)
  const { rows, order, tasks, toggleGroup } = useRows(groups)
  const focus = useListFocus(rows, scroller)
  const virtual = useVirtualRows(rows, scroller, focus.at)
  const selected = [...selection.ids].flatMap((id) => tasks.get(id) ?? [])
  const focused = focus.key === undefined ? undefined : tasks.get(focus.key)
  const targets = selected.length > 0 ? selected : focused ? [focused] : []

  function goTo(place: number) {
    const row = rows[place]
    if (row?.kind !== 'task') return
    focus.setKey(row.key)
    focus.take()
    virtual.scrollToIndex(place, { align: 'auto' })
  }
  const handlers = useRowHandlers({ focus, order, onOpen, selection, setEdit, setRenamed })
  useListCommands({
    targets,
    clear: selection.clear,
    isSelecting: selected.length > 0,
    selectAll: () => selection.set(order),
    move: (by) => goTo(stepFrom(rows, focus.at, by)),
    edit: (field) => {
      const anchor = cellOf(scroller.current, focus.key, field)
      if (targets.length > 0 && anchor) setEdit({ tasks: targets, field, anchor })
    },
    rename: () => setRenamed(focus.key),
  })

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-multiselectable="true"
        aria-rowcount={rows.length}
        data-selecting={selected.length > 0 || undefined}
        className="task-list @container min-h-0 flex-1 overflow-y-auto overscroll-contain"
        onKeyDown={(event) =>
          handleListKey(event, { rows, order, focus, focused, selection, goTo, onOpen })
        }
        {...touch}
        onFocus={focus.onFocus}
        onBlur={focus.onBlur}
      >
        <div
          role="presentation"
          className="relative w-full"
          style={{ height: virtual.getTotalSize() + (selected.length > 0 ? 120 : 24) }}
        >
          <VirtualRows
            {...{ virtual, rows, selection, shownId, handlers }}
            focusedAt={focus.at}
            renamedId={renamed}
            onToggleGroup={toggleGroup}
          />
        </div>
      </div>
      {selected.length > 0 && (
        <BatchBar
          tasks={selected}
          onEdit={(field, anchor) => setEdit({ tasks: selected, field, anchor })}
          onClear={selection.clear}
        />
      )}
      {edit && <FieldEditor {...edit} onClose={() => setEdit(undefined)} />}
    </div>
  )
}
