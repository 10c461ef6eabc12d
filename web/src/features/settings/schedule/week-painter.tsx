import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { coverOf, type Week } from './week-ranges.ts'
import { type Cell, cellOf, dayNames, fromMonday, nameOf, slots, stretchOf } from './cells.ts'
import { paintStroke, strokeAt, useStroke } from './use-stroke.ts'

type Props = { label: string; week: Week; onPaint: (week: Week) => void }

/**
 * A week whose hours are painted: by mouse in one stroke, by keyboard with Space, or with Shift and the
 * arrow keys. On touch, an immediate move scrolls, a long press begins a stroke, and a tap paints one cell.
 */
export function WeekPainter({ label, week, onPaint }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const { focused, setFocused, moveTo } = useFocusedCell(grid)
  const { stroke, setStroke, begin, paint } = useStroke(week, onPaint)
  const shown = stroke ? paintStroke(week, stroke) : week

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') return setStroke(undefined)
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      return paint(strokeAt(week, focused))
    }
    const next = neighbourOf(focused, event.key)
    if (!next) return
    event.preventDefault()
    moveTo(next)
    if (event.shiftKey) setStroke({ ...(stroke ?? strokeAt(week, focused)), to: next })
  }
  /** A Shift selection is painted when Shift is released. */
  function release({ key }: KeyboardEvent) {
    if (key !== 'Shift' || !stroke) return
    setStroke(undefined)
    paint(stroke)
  }

  return (
    <div
      ref={grid}
      role="grid"
      aria-label={label}
      aria-multiselectable="true"
      className="painter"
      onPointerDown={(event) => {
        const cell = begin(event)
        if (cell) setFocused(cell)
      }}
      onKeyDown={press}
      onFocus={({ target }) => {
        const cell = cellOf(target)
        if (cell && !stroke) setFocused(cell)
      }}
      onKeyUp={release}
    >
      <HeadRow />
      {Array.from({ length: slots }, (_, slot) => (
        <SlotRow key={slot} slot={slot} week={shown} focused={focused} />
      ))}
    </div>
  )
}

/** The cell with the tab stop. `moveTo` also gives it the DOM focus. */
function useFocusedCell(grid: RefObject<HTMLElement | null>) {
  const [focused, setFocused] = useState<Cell>({ day: 1, slot: 18 })
  const isMoved = useRef(false)
  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    grid.current
      ?.querySelector<HTMLElement>(`[data-cell='${focused.day}-${focused.slot}']`)
      ?.focus({ preventScroll: false })
  }, [grid, focused])
  return {
    focused,
    setFocused,
    moveTo: (cell: Cell) => {
      isMoved.current = true
      setFocused(cell)
    },
  }
}

const steps: Record<string, { days: number; slots: number }> = {
  ArrowUp: { days: 0, slots: -1 },
  ArrowDown: { days: 0, slots: 1 },
  ArrowLeft: { days: -1, slots: 0 },
  ArrowRight: { days: 1, slots: 0 },
  PageUp: { days: 0, slots: -4 },
  PageDown: { days: 0, slots: 4 },
}

function neighbourOf({ day, slot }: Cell, key: string): Cell | undefined {
  const step = steps[key]
  if (!step) return undefined
  const column = fromMonday.indexOf(day) + step.days
  return {
    day: fromMonday[Math.max(0, Math.min(6, column))] ?? day,
    slot: Math.max(0, Math.min(slots - 1, slot + step.slots)),
  }
}

const HeadRow = () => (
  <div role="row" className="painter-row painter-head">
    <span role="columnheader" className="painter-hour">
      <span className="sr-only">Time</span>
    </span>
    {fromMonday.map((day) => (
      <span key={day} role="columnheader" className="painter-day">
        {dayNames[day]}
      </span>
    ))}
  </div>
)

/** The row of one half hour, across all days. */
const SlotRow = ({ slot, week, focused }: { slot: number; week: Week; focused: Cell }) => (
  <div role="row" className="painter-row" data-hour={slot % 2 === 0 || undefined}>
    <span role="rowheader" className="painter-hour">
      {slot > 0 && slot % 2 === 0 ? (
        <span>{slot / 2}</span>
      ) : (
        <span className="sr-only">{slot === 0 ? 'Midnight' : 'Half past'}</span>
      )}
    </span>
    {fromMonday.map((day) => {
      const cover = coverOf(week[day], stretchOf(slot))
      const isFocused = focused.day === day && focused.slot === slot
      return (
        <span
          key={day}
          role="gridcell"
          data-cell={`${day}-${slot}`}
          data-cover={cover}
          aria-selected={cover !== 'none'}
          aria-label={nameOf({ day, slot })}
          tabIndex={isFocused ? 0 : -1}
          className="painter-cell"
        />
      )
    })}
  </div>
)
