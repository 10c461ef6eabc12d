import type { ListedTask } from '@daywright/contract'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { type Columns, columnStatuses, type ColumnStatus } from './columns.ts'

/** The focused card: it keeps the DOM focus when it moves to another column. */
export function useBoardFocus(columns: Columns) {
  const [focusedId, setFocusedId] = useState<string>()
  const board = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef(false)
  const all = columnStatuses.flatMap((status) => columns[status])
  const focused = all.find(({ id }) => id === focusedId) ?? all[0]

  useEffect(() => {
    if (!wantsFocus.current || !focused) return
    const card = board.current?.querySelector<HTMLElement>(`[data-card="${focused.id}"]`)
    if (!card) return
    if (document.activeElement !== card) card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  return {
    board,
    focused,
    setFocusedId,
    goTo: (task: ListedTask | undefined) => {
      if (!task) return
      setFocusedId(task.id)
      wantsFocus.current = true
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) wantsFocus.current = false
    },
  }
}

/** The card that an arrow key leads to; sideways, empty columns are skipped. */
export function neighbourOf(columns: Columns, task: ListedTask, arrow: string) {
  const status = task.status as ColumnStatus
  const side = columnStatuses.indexOf(status)
  const at = columns[status].indexOf(task)
  if (arrow === 'ArrowDown') return columns[status][at + 1]
  if (arrow === 'ArrowUp') return columns[status][at - 1]
  const beyond =
    arrow === 'ArrowRight'
      ? columnStatuses.slice(side + 1)
      : columnStatuses.slice(0, side).toReversed()
  const other = beyond.map((each) => columns[each]).find(({ length }) => length > 0)
  return other?.[Math.min(at, other.length - 1)]
}
