// A stroke over the cells of the week: it switches all of them on, or all of them off.
import { type PointerEvent, useState } from 'react'
import { beginPointerDrag } from '../../../ui/pointer-drag.ts'
import { useStable } from '../../../ui/use-stable.ts'
import { boxOf, type Cell, cellAt, stretchOf } from './cells.ts'
import { coverOf, paint, type Week } from './week-ranges.ts'

type Stroke = { from: Cell; to: Cell; isOn: boolean }

/** A stroke over one cell. It switches the cell off if all of it is on, otherwise on. */
export const strokeAt = (week: Week, cell: Cell): Stroke => ({
  from: cell,
  to: cell,
  isOn: coverOf(week[cell.day], stretchOf(cell.slot)) !== 'full',
})

export const paintStroke = (week: Week, { from, to, isOn }: Stroke) => {
  const { days, stretch } = boxOf(from, to)
  return days.reduce((now, day) => paint(now, day, stretch, isOn), week)
}

export function useStroke(week: Week, onPaint: (week: Week) => void) {
  const [stroke, setStroke] = useState<Stroke>()
  // Paints on the latest week, which may change during a stroke.
  const paint = useStable((done: Stroke) => onPaint(paintStroke(week, done)))

  /** Begins a stroke, and returns the cell under the pointer. */
  function begin({ nativeEvent }: PointerEvent) {
    const from = cellAt(nativeEvent.clientX, nativeEvent.clientY)
    if (!from) return undefined
    let drawn = strokeAt(week, from)
    beginPointerDrag(nativeEvent, {
      isImmediate: true,
      onMove: ({ x, y }) => {
        drawn = { ...drawn, to: cellAt(x, y) ?? drawn.to }
        setStroke(drawn)
        return drawn
      },
      onDrop: paint,
      onClick: () => paint(drawn),
      onEnd: () => setStroke(undefined),
    })
    return from
  }

  return { stroke, setStroke, begin, paint }
}
