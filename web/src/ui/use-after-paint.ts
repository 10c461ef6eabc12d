import { startTransition, useEffect, useState } from 'react'

// A tab that nobody sees is not painted.
const longestMs = 100

/** Does it once the screen has been painted; gives a way to call it off. */
export function afterPaint(work: () => void) {
  let timer = setTimeout(work, longestMs)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    timer = setTimeout(work)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/**
 * The value as it was when the screen was last painted. For what is heavy to draw: the answer to a
 * key or a click is seen first, and the rest follows.
 */
export function useAfterPaint<Value>(value: Value) {
  const [painted, setPainted] = useState(value)
  useEffect(() => afterPaint(() => startTransition(() => setPainted(value))), [value])
  return painted
}
