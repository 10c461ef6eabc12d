// Dragging over the grid with mouse, pen or touch: a pointer in, a snapped span of one day out.
import { type Grid, gridPlace } from './grid-place.ts'
import { setGhost } from './ghost.ts'

export type DragKind = 'move' | 'start' | 'end' | 'place' | 'create'

export type Span = { day: number; start: number; end: number }

export type DragSubject = {
  kind: DragKind
  title: string
  color: string | null
  /** Its current span; undefined for a task from the list. */
  from?: Span
  /** Its length in minutes. */
  minutes: number
  onDrop: (span: Span) => void
  /** Called for a click without a drag. */
  onClick?: () => void
}

const thresholdPx = 4
const longPressMs = 260
const edgePx = 48
const coarse = 15
const fine = 5

export function beginDrag(event: PointerEvent, grid: Grid, subject: DragSubject) {
  if (event.button !== 0) return
  const isTouch = event.pointerType === 'touch'
  const first = { x: event.clientX, y: event.clientY }
  const grabbed = gridPlace(grid, first.x, first.y)
  const offset = subject.from && grabbed ? grabbed.minutes - subject.from.start : 0
  let pointer = { ...first, isFine: event.shiftKey }
  let isActive = false
  let span: Span | undefined
  let frame = 0
  // Touch: an immediate move scrolls; a long press starts the drag.
  const timer = isTouch ? window.setTimeout(activate, longPressMs) : 0

  function activate() {
    isActive = true
    navigator.vibrate?.(8)
    document.body.dataset.dragging = subject.kind
    frame = requestAnimationFrame(scrollAtEdges)
    update()
  }
  function move(next: PointerEvent) {
    if (next.pointerId !== event.pointerId) return
    pointer = { x: next.clientX, y: next.clientY, isFine: next.shiftKey }
    const distance = Math.hypot(pointer.x - first.x, pointer.y - first.y)
    if (!isActive && distance > thresholdPx) {
      if (isTouch) return finish()
      activate()
    }
    if (isActive) update()
  }
  function update() {
    const place = gridPlace(grid, pointer.x, pointer.y)
    span = place && spanAt(subject, place, offset, pointer.isFine ? fine : coarse)
    setGhost({ subject, span, x: pointer.x, y: pointer.y })
  }
  function scrollAtEdges() {
    const box = grid.scroller.getBoundingClientRect()
    const by =
      pointer.y < box.top + edgePx + 60
        ? pointer.y - box.top - edgePx - 60
        : Math.max(0, pointer.y - box.bottom + edgePx)
    const isInside = pointer.x > box.left && pointer.x < box.right
    if (by !== 0 && isInside && pointer.y > box.top) {
      grid.scroller.scrollTop += by / 5
      update()
    }
    frame = requestAnimationFrame(scrollAtEdges)
  }
  function drop(last: PointerEvent) {
    if (last.pointerId !== event.pointerId) return
    const [wasActive, dropped] = [isActive, span]
    finish()
    if (!wasActive) subject.onClick?.()
    else if (dropped) subject.onDrop(dropped)
  }
  function onKey(key: KeyboardEvent) {
    if (key.key === 'Shift') {
      pointer.isFine = key.type === 'keydown'
      if (isActive) update()
    }
    if (key.key !== 'Escape' || !isActive) return
    key.preventDefault()
    key.stopPropagation()
    finish()
  }
  function holdPage(touch: TouchEvent) {
    if (isActive) touch.preventDefault()
  }
  function finish() {
    if (isActive) swallowClick()
    isActive = false
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    delete document.body.dataset.dragging
    setGhost(undefined)
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', drop)
    window.removeEventListener('pointercancel', finish)
    window.removeEventListener('keydown', onKey, true)
    window.removeEventListener('keyup', onKey, true)
    document.removeEventListener('touchmove', holdPage)
  }
  window.addEventListener('pointermove', move)
  window.addEventListener('pointerup', drop)
  window.addEventListener('pointercancel', finish)
  window.addEventListener('keydown', onKey, true)
  window.addEventListener('keyup', onKey, true)
  document.addEventListener('touchmove', holdPage, { passive: false })
}

/** Suppresses the click that a browser sends after a drag. */
function swallowClick() {
  const swallow = (click: MouseEvent) => {
    click.stopPropagation()
    click.preventDefault()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 50)
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
  // Not before midnight, unless it began on the day before and was grabbed by its part on this day.
  const first = from && from.start < 0 ? start : Math.max(0, start)
  return { day: place.day, start: first, end: first + minutes }
}
