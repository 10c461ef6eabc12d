import type { ListedTask } from '@daywright/contract'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useDevice } from '../../shell/device.ts'
import { useNow } from '../../time/clock.ts'
import { useZone } from '../../time/zone.ts'
import { useNarrow } from '../../ui/use-media.ts'
import { type Edit, FieldEditor } from '../fields/field-editor.tsx'
import type { Group } from '../groups.ts'
import '../tasks.css'
import { BatchBar } from './batch-bar.tsx'
import { GroupRow } from './group-row.tsx'
import { useListCommands } from './list-commands.ts'
import { rowOf, stepFrom, useListFocus } from './list-focus.ts'
import { usePlanned } from './planned.ts'
import { rowsOf } from './rows.ts'
import { useSelection } from './selection.ts'
import { useRowHandlers } from './row-handlers.ts'
import { TaskRow } from './task-row.tsx'
import { useTouchSelection } from './touch-selection.ts'

type Props = {
  label: string
  groups: Group[]
  /** The task that is open beside the list. */
  shownId?: string | undefined
  onOpen: (task: ListedTask) => void
}

const heights = { compact: 30, normal: 36, roomy: 42 }
const groupHeight = 44
const narrowHeight = 56

/** Every task of the groups; only visible rows are drawn. */
export function TaskList({ label, groups, shownId, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [edit, setEdit] = useState<Edit>()
  const [renamed, setRenamed] = useState<string>()
  const selection = useSelection()
  const touch = useTouchSelection(selection)
  const rows = useMemo(() => rowsOf(groups, closed), [groups, closed])
  const order = useMemo(() => rows.flatMap((row) => (row.kind === 'task' ? [row.key] : [])), [rows])
  const focus = useListFocus(rows, scroller)
  const planned = usePlanned()
  const zone = useZone()
  const minute = Math.floor(useNow().getTime() / 60_000)
  const now = useMemo(() => new Date(minute * 60_000), [minute])
  const isNarrow = useNarrow()
  const { density } = useDevice()

  // A new function would make the virtualizer measure all rows again.
  const keyAt = useCallback((index: number) => rows[index]?.key ?? index, [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) =>
      rows[index]?.kind === 'group' ? groupHeight : isNarrow ? narrowHeight : heights[density],
    getItemKey: keyAt,
    overscan: 8,
    // The focused row stays mounted, or scrolling would lose the focus.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), focus.at])]
        .filter((index) => index >= 0 && index < rows.length)
        .toSorted((one, other) => one - other),
  })

  const tasks = useMemo(
    () => new Map(rows.flatMap((row) => (row.kind === 'task' ? [[row.key, row.task]] : []))),
    [rows],
  )
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

  const editTargets = (field: Edit['field']) => {
    const row = rowOf(scroller.current, focus.key)
    const cell = row?.querySelector<HTMLElement>(`[data-field="${field}"]`)
    const anchor = (cell?.offsetParent ? cell : row) ?? scroller.current
    if (targets.length > 0 && anchor) setEdit({ tasks: targets, field, anchor })
  }
  useListCommands({
    targets,
    clear: selection.clear,
    isSelecting: selected.length > 0,
    selectAll: () => selection.set(order),
    move: (by) => goTo(stepFrom(rows, focus.at, by)),
    edit: editTargets,
    rename: () => setRenamed(focus.key),
  })

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.task === undefined) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / 40))
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
    }
    const by = steps[event.key]
    if (by !== undefined) {
      const place = stepFrom(
        rows,
        Math.max(0, Math.min(rows.length - 1, focus.at + by)) - Math.sign(by),
        Math.sign(by),
      )
      const next = rows[place]
      if (event.shiftKey && focus.key && next) {
        if (!selection.ids.has(focus.key)) selection.toggle(focus.key)
        selection.extendTo(next.key, order)
      }
      goTo(place)
    } else if (event.key === 'Home') goTo(stepFrom(rows, -1, 1))
    else if (event.key === 'End') goTo(stepFrom(rows, rows.length, -1))
    else if (event.key === 'Enter' && focused) onOpen(focused)
    else if (event.key === ' ' && focused) selection.toggle(focused.id)
    else return
    event.preventDefault()
  }

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
        onKeyDown={onKeyDown}
        {...touch}
        onFocus={(event) => {
          focus.onFocus()
          const id = event.target.closest<HTMLElement>('[data-task]')?.dataset.task
          if (id !== undefined && id !== focus.key) focus.setKey(id)
        }}
        onBlur={focus.onBlur}
      >
        <div
          role="presentation"
          className="relative w-full"
          style={{ height: virtual.getTotalSize() + (selected.length > 0 ? 120 : 24) }}
        >
          {virtual.getVirtualItems().map(({ index, key, start, size }) => {
            const row = rows[index]
            return (
              row && (
                <div
                  key={key}
                  role="presentation"
                  className="absolute inset-x-0 top-0"
                  style={{ height: size, transform: `translateY(${start}px)` }}
                >
                  {row.kind === 'group' ? (
                    <GroupRow
                      group={row.group}
                      index={index}
                      isClosed={row.isClosed}
                      onToggle={() => setClosed(toggle(closed, row.group.key))}
                    />
                  ) : (
                    <TaskRow
                      task={row.task}
                      index={index}
                      asksEstimate={row.asksEstimate}
                      isFocused={index === focus.at}
                      isSelected={selection.ids.has(row.key)}
                      isShown={row.key === shownId}
                      isRenaming={row.key === renamed}
                      isNarrow={isNarrow}
                      planned={planned.get(row.key)}
                      now={now}
                      zone={zone}
                      handlers={handlers}
                    />
                  )}
                </div>
              )
            )
          })}
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

function toggle(keys: ReadonlySet<string>, key: string) {
  const after = new Set(keys)
  if (!after.delete(key)) after.add(key)
  return after
}
