// With a finger: a long press selects the first task, and from then on taps select instead of opening.
import { type MouseEvent, type PointerEvent, useRef } from 'react'
import type { Selection } from './selection.ts'

const longPressMs = 450

const taskAt = (target: EventTarget) =>
  (target as HTMLElement).closest<HTMLElement>('[data-task]')?.dataset.task

export function useTouchSelection({ ids, toggle }: Selection) {
  const timer = useRef(0)
  const isTouch = useRef(false)
  /** The click that ends the press is none. */
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
    // The finger scrolls.
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
