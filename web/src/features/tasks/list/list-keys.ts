// The keys of the focused row. With Shift, the arrow and page keys also select.
import type { ListedTask } from '@daywright/contract'
import type { KeyboardEvent } from 'react'
import { stepFrom, type useListFocus } from './list-focus.ts'
import type { Row } from './rows.ts'
import type { Selection } from './selection.ts'

type List = {
  rows: Row[]
  order: string[]
  focus: ReturnType<typeof useListFocus>
  focused: ListedTask | undefined
  selection: Selection
  goTo: (place: number) => void
  onOpen: (task: ListedTask) => void
}

const rowPx = 40

export function handleListKey(event: KeyboardEvent<HTMLElement>, list: List) {
  const { rows, focused, selection, goTo } = list
  if (!(event.target instanceof HTMLElement) || event.target.dataset.task === undefined) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const by = stepsOf(event.key, event.currentTarget.clientHeight)
  if (by !== undefined) moveBy(by, event.shiftKey, list)
  else if (event.key === 'Home') goTo(stepFrom(rows, -1, 1))
  else if (event.key === 'End') goTo(stepFrom(rows, rows.length, -1))
  else if (event.key === 'Enter' && focused) list.onOpen(focused)
  else if (event.key === ' ' && focused) selection.toggle(focused.id)
  else return
  event.preventDefault()
}

function stepsOf(key: string, height: number) {
  const page = Math.max(1, Math.floor(height / rowPx))
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
  }
  return steps[key]
}

function moveBy(by: number, isSelecting: boolean, { rows, order, focus, selection, goTo }: List) {
  const place = stepFrom(
    rows,
    Math.max(0, Math.min(rows.length - 1, focus.at + by)) - Math.sign(by),
    Math.sign(by),
  )
  const next = rows[place]
  if (isSelecting && focus.key && next) {
    if (!selection.ids.has(focus.key)) selection.toggle(focus.key)
    selection.extendTo(next.key, order)
  }
  goTo(place)
}
