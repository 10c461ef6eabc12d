// Roving tabindex: one block of the grid is a tab stop, and arrow keys move between blocks.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Entry } from './entries.ts'
import { type Direction, neighbourOf } from './neighbours.ts'
import type { Segment } from './segments.ts'

const arrows: Record<string, Direction | undefined> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

const elementOf = (id: string) =>
  document.querySelector<HTMLElement>(`[data-block="${CSS.escape(id)}"]`)

const idOf = (target: EventTarget | null) =>
  (target as HTMLElement | null)?.closest<HTMLElement>('[data-block]')?.dataset.block

export function useBlockFocus(columns: Segment<Entry>[][]) {
  const [focused, setFocused] = useState<string>()
  const wanted = useRef<string>(undefined)

  // A block that moves to another column gets a new element, which has to be focused again.
  useLayoutEffect(() => {
    const element = wanted.current === undefined ? undefined : elementOf(wanted.current)
    if (!element) return
    wanted.current = undefined
    if (document.activeElement !== element) element.focus()
  }, [columns])

  useEffect(() => {
    const note = ({ target }: FocusEvent) => setFocused(idOf(target))
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])

  return {
    focused,
    focus: (id: string) => elementOf(id)?.focus({ preventScroll: true }),
    /** Focuses the block once it is drawn. */
    focusLater: (id: string) => {
      wanted.current = id
    },
    onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
      const id = idOf(event.target)
      const direction = arrows[event.key]
      if (!id || !direction || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      const next = neighbourOf(columns, id, direction)
      if (next) elementOf(next)?.focus()
    },
  }
}
