import type { ListedTask } from '@daywright/contract'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { beginPointerDrag } from '../../../ui/pointer-drag.ts'

export type Drag = {
  task: ListedTask
  x: number
  y: number
  width: number
  over: string | undefined
}

export function useCardDrag(onDrop: (task: ListedTask, column: string) => void) {
  const [drag, setDrag] = useState<Drag>()
  const cancel = useRef(() => {})
  useEffect(() => () => cancel.current(), [])

  function onPointerDown(event: PointerEvent<HTMLElement>, task: ListedTask) {
    if ((event.target as HTMLElement).closest('button, input, a')) return
    const { width } = event.currentTarget.getBoundingClientRect()
    cancel.current()
    cancel.current = beginPointerDrag(event.nativeEvent, {
      onMove: ({ x, y }) => {
        const over = columnAt(x, y)
        setDrag({ task, x, y, width, over })
        return over
      },
      onDrop: (over) => over && onDrop(task, over),
      onEnd: () => setDrag(undefined),
    })
  }

  return { drag, onPointerDown }
}

const columnAt = (x: number, y: number) =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]')?.dataset.column
