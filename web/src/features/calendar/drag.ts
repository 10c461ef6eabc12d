// Dragging over the grid: converts the position of the pointer to a snapped span of one day.
import { beginPointerDrag } from '../../ui/pointer-drag.ts'
import { type Grid, gridPlace } from './grid-place.ts'
import type { DragSubject, Span } from './drag-subject.ts'
import { setGhost } from './ghost.ts'

const headPx = 60
const coarse = 15
const fine = 5

export function beginDrag(event: PointerEvent, grid: Grid, subject: DragSubject) {
  const grabbed = gridPlace(grid, event.clientX, event.clientY)
  const offset = subject.from && grabbed ? grabbed.minutes - subject.from.start : 0
  beginPointerDrag(event, {
    scroller: { element: grid.scroller, headPx },
    onMove: ({ x, y, isShift }) => {
      const place = gridPlace(grid, x, y)
      const span = place && spanAt(subject, place, offset, isShift ? fine : coarse)
      document.body.dataset.dragging = subject.kind
      if (subject.element) subject.element.dataset.dragged = ''
      setGhost({ subject, span, x, y })
      return span
    },
    onDrop: (span) => span && subject.onDrop(span),
    onClick: () => subject.onClick?.(),
    onEnd: () => {
      delete document.body.dataset.dragging
      delete subject.element?.dataset.dragged
      setGhost(undefined)
    },
  })
}

type Place = { day: number; minutes: number }

function spanAt(
  { kind, from, minutes }: Pick<DragSubject, 'kind' | 'from' | 'minutes'>,
  place: Place,
  offset: number,
  step: number,
): Span {
  const snap = (value: number) => Math.round(value / step) * step
  const within = (value: number) => Math.min(1440, Math.max(0, value))
  if (from && kind === 'start') {
    return { ...from, start: Math.min(within(snap(place.minutes)), from.end - fine) }
  }
  if (from && (kind === 'end' || kind === 'create')) {
    const end = within(snap(place.minutes))
    return kind === 'create' && end < from.start
      ? { ...from, start: end, end: from.start + step }
      : { ...from, end: Math.max(end, from.start + step) }
  }
  const start = Math.min(1440 - step, snap(place.minutes - offset))
  // The span starts at midnight or later, unless the block began on an earlier day and was grabbed on this one.
  const first = from && from.start < 0 ? start : Math.max(0, start)
  return { day: place.day, start: first, end: first + minutes }
}
