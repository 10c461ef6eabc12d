import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { beginPointerDrag } from './pointer-drag.ts'

const origin = { x: 100, y: 100 }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('requestAnimationFrame', (step: () => void) => setTimeout(step, 16))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('with the mouse', () => {
  it('a press and release without a move is a click', () => {
    const { calls } = press()

    send('pointermove', { x: 102, y: 102 })
    send('pointerup')

    expect(calls).toEqual(['click'])
  })

  it('drops where the pointer was last', () => {
    const { calls } = press()

    send('pointermove', { x: 110, y: 100 })
    send('pointermove', { x: 150, y: 120 })
    send('pointerup')
    send('pointermove', { x: 300, y: 300 })

    expect(calls).toEqual(['move 110,100', 'move 150,120', 'end', 'drop 150,120'])
  })

  it('begins at the press if `isImmediate` is set', () => {
    const { calls } = press({ isImmediate: true })

    send('pointerup')

    expect(calls).toEqual(['move 100,100', 'end', 'drop 100,100'])
  })

  it('ignores other buttons and other pointers', () => {
    const right = press({ button: 2 })
    send('pointermove', { x: 150, y: 100 })
    send('pointerup')
    const left = press()
    send('pointermove', { x: 150, y: 100, pointerId: 9 })
    send('pointerup', { pointerId: 9 })

    expect([...right.calls, ...left.calls]).toEqual([])
  })

  it('reports when Shift is pressed and released', () => {
    const { calls } = press()

    send('pointermove', { x: 150, y: 100 })
    sendKey('keydown', 'Shift')
    sendKey('keyup', 'Shift')

    expect(calls).toEqual(['move 150,100', 'move 150,100 shift', 'move 150,100'])
  })
})

describe('a cancelled drag', () => {
  it.each([
    ['Escape', () => void sendKey('keydown', 'Escape')],
    ['the browser', () => void send('pointercancel')],
    ['its caller', (cancel: () => void) => cancel()],
  ])('ends without a drop: cancelled by %s', (_, stop) => {
    const { calls, cancel } = press()
    send('pointermove', { x: 150, y: 100 })

    stop(cancel)
    send('pointermove', { x: 160, y: 100 })
    send('pointerup')

    expect(calls).toEqual(['move 150,100', 'end'])
  })

  it('keeps Escape from the page, but not before the drag has begun', () => {
    press()

    const before = sendKey('keydown', 'Escape')
    send('pointermove', { x: 150, y: 100 })
    const during = sendKey('keydown', 'Escape')

    expect([before.defaultPrevented, during.defaultPrevented]).toEqual([false, true])
  })
})

describe('the click after a drag', () => {
  it('is suppressed, but a second click is not', () => {
    press()
    send('pointermove', { x: 150, y: 100 })
    send('pointerup')

    expect([send('click').defaultPrevented, send('click').defaultPrevented]).toEqual([true, false])
  })

  it('is suppressed when the pointer is released long after Escape', () => {
    press()
    send('pointermove', { x: 150, y: 100 })
    sendKey('keydown', 'Escape')
    vi.advanceTimersByTime(5000)
    send('pointerup')

    expect(send('click').defaultPrevented).toBe(true)
  })

  it('is not suppressed after 50 ms', () => {
    press()
    send('pointermove', { x: 150, y: 100 })
    send('pointerup')
    vi.advanceTimersByTime(50)

    expect(send('click').defaultPrevented).toBe(false)
  })
})

describe('by touch', () => {
  const pointerType = 'touch'

  it('an immediate move scrolls, and is neither a drag nor a click', () => {
    const { calls } = press({ pointerType, isImmediate: true })

    send('pointermove', { x: 100, y: 110 })
    vi.advanceTimersByTime(1000)
    send('pointerup')

    expect(calls).toEqual([])
    expect(send('touchmove').defaultPrevented).toBe(false)
  })

  it('a tap is a click', () => {
    const { calls } = press({ pointerType, isImmediate: true })

    vi.advanceTimersByTime(100)
    send('pointerup')
    vi.advanceTimersByTime(1000)

    expect(calls).toEqual(['click'])
  })

  it('a long press starts the drag, and keeps the page from scrolling', () => {
    const { calls } = press({ pointerType })

    const before = send('touchmove')
    vi.advanceTimersByTime(260)
    const during = send('touchmove')
    send('pointermove', { x: 100, y: 150 })
    send('pointerup')

    expect([before.defaultPrevented, during.defaultPrevented]).toEqual([false, true])
    expect(calls).toEqual(['move 100,100', 'move 100,150', 'end', 'drop 100,150'])
  })
})

describe('near an edge', () => {
  const box = { left: 0, right: 400, top: 0, bottom: 600 }

  it.each([
    { at: 'the upper edge', y: 60, isScrolled: 'up' },
    { at: 'the middle', y: 300, isScrolled: 'not' },
    { at: 'the lower edge', y: 580, isScrolled: 'down' },
    { at: 'a point above it', y: -10, isScrolled: 'not' },
  ])('scrolls until the drop, or does not scroll, at $at: $isScrolled', ({ y, isScrolled }) => {
    const element = { scrollTop: 1000, getBoundingClientRect: () => box }
    press({ scroller: { element: element as unknown as HTMLElement, headPx: 60 } })

    send('pointermove', { x: 150, y })
    vi.advanceTimersByTime(100)
    send('pointerup')
    const { scrollTop } = element
    vi.advanceTimersByTime(100)

    expect(Math.sign(scrollTop - 1000)).toBe({ up: -1, not: 0, down: 1 }[isScrolled])
    expect(element.scrollTop).toBe(scrollTop)
  })
})

type Drag = Parameters<typeof beginPointerDrag<string>>[1]

/** Presses at the origin. `calls` lists the callbacks that the drag has called. */
function press({
  button = 0,
  pointerType = 'mouse',
  ...options
}: Pick<Drag, 'isImmediate' | 'scroller'> & { button?: number; pointerType?: string } = {}) {
  const calls: string[] = []
  const cancel = beginPointerDrag<string>(pointerEvent('pointerdown', { button, pointerType }), {
    ...options,
    onMove: ({ x, y, isShift }) => {
      calls.push(`move ${x},${y}${isShift ? ' shift' : ''}`)
      return `${x},${y}`
    },
    onDrop: (target) => calls.push(`drop ${target}`),
    onEnd: () => calls.push('end'),
    onClick: () => calls.push('click'),
  })
  return { calls, cancel }
}

type Sent = { x?: number; y?: number; pointerId?: number; button?: number; pointerType?: string }

const pointerEvent = (kind: string, { x = origin.x, y = origin.y, ...more }: Sent = {}) =>
  Object.assign(new Event(kind, { cancelable: true }), {
    clientX: x,
    clientY: y,
    pointerId: 1,
    shiftKey: false,
    ...more,
  }) as unknown as PointerEvent

function send(kind: string, more?: Sent) {
  const event = pointerEvent(kind, more)
  window.dispatchEvent(event)
  return event
}

function sendKey(kind: 'keydown' | 'keyup', key: string) {
  const event = Object.assign(new Event(kind, { cancelable: true }), { key })
  window.dispatchEvent(event)
  return event
}
