// Dragging with mouse, pen or touch, from the press to the drop.

type Pointer = { x: number; y: number; isShift: boolean }

type PointerDrag<Target> = {
  /** Shows the drag at the pointer. Returns where a drop would put it. */
  onMove: (pointer: Pointer) => Target
  onDrop: (target: Target) => void
  /** Called when a drag ends: just before `onDrop`, or when the drag is cancelled. */
  onEnd: () => void
  /** The pointer was released without a drag. */
  onClick?: () => void
  /** Mouse and pen drag from the press on, instead of after some distance. */
  isImmediate?: boolean
  scroller?: Scroller
}

/** An element that scrolls while the pointer is near its upper or lower edge. A header covers its first `headPx`. */
type Scroller = { element: HTMLElement; headPx: number }

const thresholdPx = 4
const longPressMs = 260
const edgePx = 48

/**
 * Follows the pointer on the whole page, because it leaves the pressed element. On touch, a long press starts
 * the drag and an immediate move scrolls. Returns a function that cancels the drag.
 */
export function beginPointerDrag<Target>(press: PointerEvent, drag: PointerDrag<Target>) {
  if (press.button !== 0) return () => {}
  const { scroller } = drag
  const isTouch = press.pointerType === 'touch'
  const listening = new AbortController()
  const { signal } = listening
  const timer = isTouch ? setTimeout(begin, longPressMs) : undefined
  let pointer = pointerOf(press)
  let dragged: { to: Target } | undefined
  let frame = 0

  function begin() {
    if (isTouch) navigator.vibrate?.(8)
    if (scroller) frame = requestAnimationFrame(() => scrollAtEdges(scroller))
    follow()
  }
  function follow() {
    dragged = { to: drag.onMove(pointer) }
  }
  function scrollAtEdges(at: Scroller) {
    const by = edgeScroll(at, pointer)
    if (by !== 0) {
      at.element.scrollTop += by
      follow()
    }
    frame = requestAnimationFrame(() => scrollAtEdges(at))
  }
  function move(event: PointerEvent) {
    pointer = pointerOf(event)
    const isFar = Math.hypot(pointer.x - press.clientX, pointer.y - press.clientY) > thresholdPx
    if (dragged) follow()
    else if (isFar && isTouch) end()
    else if (isFar) begin()
  }
  function drop() {
    const dropped = dragged
    end()
    if (!dropped) return drag.onClick?.()
    suppressClick()
    drag.onDrop(dropped.to)
  }
  function onKey(event: KeyboardEvent) {
    if (!dragged || (event.key !== 'Escape' && event.key !== 'Shift')) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Shift') {
      pointer.isShift = event.type === 'keydown'
      return follow()
    }
    end()
    window.addEventListener('pointerup', suppressClick, { once: true })
  }
  function end() {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    listening.abort()
    if (dragged) drag.onEnd()
    dragged = undefined
  }
  function listen(
    kind: 'pointermove' | 'pointerup' | 'pointercancel',
    act: (event: PointerEvent) => void,
  ) {
    const isSame = ({ pointerId }: PointerEvent) => pointerId === press.pointerId
    window.addEventListener(kind, (event) => isSame(event) && act(event), { signal })
  }
  listen('pointermove', move)
  listen('pointerup', drop)
  listen('pointercancel', end)
  window.addEventListener('keydown', onKey, { signal, capture: true })
  window.addEventListener('keyup', onKey, { signal, capture: true })
  const holdPage = (touch: TouchEvent) => dragged && touch.preventDefault()
  window.addEventListener('touchmove', holdPage, { signal, passive: false })
  if (drag.isImmediate && !isTouch) begin()
  return end
}

const pointerOf = ({ clientX, clientY, shiftKey }: PointerEvent): Pointer => ({
  x: clientX,
  y: clientY,
  isShift: shiftKey,
})

/** How far to scroll in this frame. It grows as the pointer approaches the upper or lower edge. */
function edgeScroll({ element, headPx }: Scroller, { x, y }: Pointer) {
  const box = element.getBoundingClientRect()
  if (x <= box.left || x >= box.right || y <= box.top) return 0
  const upper = y - box.top - headPx - edgePx
  return (upper < 0 ? upper : Math.max(0, y - box.bottom + edgePx)) / 5
}

/** Suppresses the click that a browser sends after a drag. */
function suppressClick() {
  const swallow = (click: MouseEvent) => {
    click.stopPropagation()
    click.preventDefault()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 50)
}
