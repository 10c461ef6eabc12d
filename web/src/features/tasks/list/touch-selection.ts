// Touch selection: a long press selects the first task, and then taps select instead of opening.
import { type MouseEvent, type PointerEvent, useRef } from 'react'
import type { Selection } from './selection.ts'

const longPressMs = 450

const taskAt = (target: EventTarget) =>
  (target as HTMLElement).closest<HTMLElement>('[data-task]')?.dataset.task

export function useTouchSelection({ ids, toggle }: Selection) {
  const timer = useRef(0)
  const isTouch = useRef(false)
  /** Whether to ignore the click that ends the long press. */
  const isPressed = useRef(false)

  const leave = () => clearTimeout(timer.current)
  return {
    onPointerDown(event: PointerEvent) {
      isTouch.current = event.pointerType === 'touch'
      isPressed.current = false
      const id = taskAt(event.target)
      if (!isTouch.current || id === undefined || ids.size > 0) return
      timer.current = window.setTimeout(() => {
        isPressed.current = true
        navigator.vibrate?.(8)
        toggle(id)
      }, longPressMs)
    },
    onPointerUp: leave,
    // The touch has become a scroll.
    onPointerCancel: leave,
    onClickCapture(event: MouseEvent) {
      const id = taskAt(event.target)
      if (!isTouch.current || id === undefined || (ids.size === 0 && !isPressed.current)) return
      event.preventDefault()
      event.stopPropagation()
      if (!isPressed.current) toggle(id)
      isPressed.current = false
    },
    onContextMenu(event: MouseEvent) {
      if (isTouch.current) event.preventDefault()
    },
  }
}
