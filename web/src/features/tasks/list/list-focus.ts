import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Row } from './rows.ts'

/**
 * The focused row. If it disappears (completed, or filtered out), the next row takes its place and the
 * DOM focus.
 */
export function useListFocus(rows: Row[], list: RefObject<HTMLElement | null>) {
  const [focus, setFocus] = useState<{ key: string; at: number }>()
  const isInside = useRef(false)
  const at = placeOf(rows, focus)
  const key = rows[at]?.key

  useEffect(() => {
    const isLost = document.activeElement === document.body || !document.activeElement
    if (!isInside.current || !isLost) return
    rowOf(list.current, key)?.focus({ preventScroll: true })
  })

  const setKey = (next: string) =>
    setFocus({ key: next, at: rows.findIndex((row) => row.key === next) })

  return {
    at,
    key,
    setKey,
    /** Moves the DOM focus to the focused row as soon as it is drawn. */
    take: () => {
      isInside.current = true
      if (list.current?.contains(document.activeElement)) {
        ;(document.activeElement as HTMLElement).blur()
      }
    },
    onFocus: ({ target }: { target: Element }) => {
      isInside.current = true
      const id = target.closest<HTMLElement>('[data-task]')?.dataset.task
      if (id !== undefined && id !== key) setKey(id)
    },
    onBlur: (event: { relatedTarget: EventTarget | null }) => {
      // Without a new target, the row was removed or is about to be drawn, so the focus stays in the list.
      if (event.relatedTarget && !list.current?.contains(event.relatedTarget as Node)) {
        isInside.current = false
      }
    },
    leave: () => {
      isInside.current = false
    },
  }
}

const rowOf = (list: HTMLElement | null, key: string | undefined) =>
  key === undefined ? undefined : list?.querySelector<HTMLElement>(`[data-task="${key}"]`)

/** The cell of a field in a row. If the cell is not shown, the row, or else the list. */
export function cellOf(list: HTMLElement | null, key: string | undefined, field: string) {
  const row = rowOf(list, key)
  const cell = row?.querySelector<HTMLElement>(`[data-field="${field}"]`)
  return (cell?.offsetParent ? cell : row) ?? list
}

function placeOf(rows: Row[], focus: { key: string; at: number } | undefined) {
  const first = rows.findIndex(({ kind }) => kind === 'task')
  if (!focus) return first
  const there = rows.findIndex(({ key }) => key === focus.key)
  if (there >= 0) return there
  const near = [focus.at, focus.at + 1, focus.at - 1, focus.at - 2]
  return near.find((place) => rows[place]?.kind === 'task') ?? first
}

/** The index of the task row `by` steps away, or of the next one beyond it; `at` if there is none. */
export function stepFrom(rows: Row[], at: number, by: number) {
  let place = at + by
  while (rows[place] && rows[place]?.kind !== 'task') place += Math.sign(by)
  return rows[place] ? place : at
}
