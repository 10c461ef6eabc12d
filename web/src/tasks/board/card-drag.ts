import type { ListedTask } from '@daywright/contract'
import { type PointerEvent, useEffect, useRef, useState } from 'react'

export type Drag = {
  task: ListedTask
  x: number
  y: number
  width: number
  over: string | undefined
}

const startsAfterPx = 6
const holdMs = 250

/** Cards follow the mouse at once, and touch after a long press: until then it scrolls. */
export function useCardDrag(onDrop: (task: ListedTask, column: string) => void) {
  const [drag, setDrag] = useState<Drag>()
  const end = useRef(() => {})
  useEffect(() => () => end.current(), [])

  function onPointerDown(event: PointerEvent<HTMLElement>, task: ListedTask) {
    const target = event.target as HTMLElement
    if (event.button !== 0 || target.closest('button, input, a')) return
    const { width } = event.currentTarget.getBoundingClientRect()
    const origin = { x: event.clientX, y: event.clientY }
    const isTouch = event.pointerType === 'touch'
    let current: Drag | undefined
    const hold = isTouch ? setTimeout(() => follow(origin.x, origin.y), holdMs) : undefined

    function follow(x: number, y: number) {
      current = { task, x, y, width, over: columnAt(x, y) }
      setDrag(current)
    }
    function onMove(move: globalThis.PointerEvent) {
      const far = Math.hypot(move.clientX - origin.x, move.clientY - origin.y) > startsAfterPx
      if (current || (far && !isTouch)) follow(move.clientX, move.clientY)
      else if (far) stop()
    }
    function onUp() {
      const dropped = current
      stop()
      if (!dropped) return
      // Suppress the click that follows, which would open the card.
      window.addEventListener('click', swallow, { capture: true, once: true })
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
      if (dropped.over) onDrop(task, dropped.over)
    }
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && stop()
    const onTouch = (touch: TouchEvent) => current && touch.preventDefault()

    function stop() {
      clearTimeout(hold)
      current = undefined
      setDrag(undefined)
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerup', onUp)
      window.removeEventListener('pointercancel', stop)
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('touchmove', onTouch)
    }
    end.current()
    end.current = stop
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerup', onUp)
    window.addEventListener('pointercancel', stop)
    window.addEventListener('keydown', onKey)
    window.addEventListener('touchmove', onTouch, { passive: false })
  }

  return { drag, onPointerDown }
}

const swallow = (event: Event) => event.stopPropagation()

const columnAt = (x: number, y: number) =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]')?.dataset.column
