import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { coverOf, paint, type Week } from './week-ranges.ts'
import {
  boxOf,
  type Cell,
  cellAt,
  cellOf,
  dayNames,
  fromMonday,
  nameOf,
  slots,
  stretchOf,
} from './cells.ts'

type Props = { label: string; week: Week; onPaint: (week: Week) => void }
type Stroke = { from: Cell; to: Cell; isOn: boolean }

const longPressMs = 260

/**
 * A week to paint on: by mouse in one stroke, by keyboard with Space and Shift. On touch, an immediate move
 * scrolls, a long press begins a stroke, and a tap paints one cell.
 */
export function WeekPainter({ label, week, onPaint }: Props) {
  const [stroke, setStroke] = useState<Stroke>()
  const [focused, setFocused] = useState<Cell>({ day: 1, slot: 18 })
  const grid = useRef<HTMLDivElement>(null)
  const isMoved = useRef(false)
  const isPainting = useRef(false)
  const touched = useRef<{ cell: Cell; timer: number }>(undefined)
  const shown = stroke ? paintStroke(week, stroke) : week

  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    grid.current
      ?.querySelector<HTMLElement>(`[data-cell='${focused.day}-${focused.slot}']`)
      ?.focus({ preventScroll: false })
  }, [focused])

  useEffect(() => {
    const element = grid.current
    const holdPage = (touch: TouchEvent) => isPainting.current && touch.preventDefault()
    element?.addEventListener('touchmove', holdPage, { passive: false })
    return () => element?.removeEventListener('touchmove', holdPage)
  }, [])

  const isOn = ({ day, slot }: Cell) => coverOf(week[day], stretchOf(slot)) === 'full'

  function begin(event: PointerEvent) {
    const cell = cellAt(event)
    if (!cell || event.button !== 0) return
    setFocused(cell)
    if (event.pointerType === 'touch') {
      touched.current = { cell, timer: window.setTimeout(() => start(cell), longPressMs) }
      return
    }
    event.currentTarget.setPointerCapture(event.pointerId)
    start(cell)
  }
  function start(cell: Cell) {
    touched.current = undefined
    isPainting.current = true
    setStroke({ from: cell, to: cell, isOn: !isOn(cell) })
  }
  function extend(event: PointerEvent) {
    const to = stroke && cellAt(event)
    if (to) setStroke({ ...stroke, to })
  }
  function end() {
    const tapped = touched.current?.cell
    const done = stroke ?? (tapped && { from: tapped, to: tapped, isOn: !isOn(tapped) })
    leave()
    if (done) onPaint(paintStroke(week, done))
  }
  function leave() {
    clearTimeout(touched.current?.timer)
    touched.current = undefined
    isPainting.current = false
    setStroke(undefined)
  }

  function press(event: KeyboardEvent) {
    const step = steps[event.key]
    if (event.key === 'Escape') return leave()
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      return onPaint(paintStroke(week, { from: focused, to: focused, isOn: !isOn(focused) }))
    }
    if (!step) return
    event.preventDefault()
    const column = fromMonday.indexOf(focused.day) + step.days
    const next = {
      day: fromMonday[Math.max(0, Math.min(6, column))] ?? focused.day,
      slot: Math.max(0, Math.min(slots - 1, focused.slot + step.slots)),
    }
    isMoved.current = true
    setFocused(next)
    if (event.shiftKey) {
      const begun = stroke ?? { from: focused, isOn: !isOn(focused) }
      setStroke({ ...begun, to: next })
    }
  }

  return (
    <div
      ref={grid}
      role="grid"
      aria-label={label}
      aria-multiselectable="true"
      className="painter"
      onPointerDown={begin}
      onPointerMove={extend}
      onPointerUp={end}
      onPointerCancel={leave}
      onKeyDown={press}
      onFocus={({ target }) => {
        const cell = cellOf(target)
        if (cell && !stroke) setFocused(cell)
      }}
      // A Shift selection is painted when Shift is released.
      onKeyUp={({ key }) => key === 'Shift' && end()}
    >
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
      {Array.from({ length: slots }, (_, slot) => (
        <div key={slot} role="row" className="painter-row" data-hour={slot % 2 === 0 || undefined}>
          <span role="rowheader" className="painter-hour">
            {slot > 0 && slot % 2 === 0 ? (
              <span>{slot / 2}</span>
            ) : (
              <span className="sr-only">{slot === 0 ? 'Midnight' : 'Half past'}</span>
            )}
          </span>
          {fromMonday.map((day) => {
            const cover = coverOf(shown[day], stretchOf(slot))
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
      ))}
    </div>
  )
}

const steps: Record<string, { days: number; slots: number }> = {
  ArrowUp: { days: 0, slots: -1 },
  ArrowDown: { days: 0, slots: 1 },
  ArrowLeft: { days: -1, slots: 0 },
  ArrowRight: { days: 1, slots: 0 },
  PageUp: { days: 0, slots: -4 },
  PageDown: { days: 0, slots: 4 },
}

const paintStroke = (week: Week, { from, to, isOn }: Stroke) => {
  const { days, stretch } = boxOf(from, to)
  return days.reduce((now, day) => paint(now, day, stretch, isOn), week)
}
