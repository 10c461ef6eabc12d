import { startTransition, useEffect, useState } from 'react'

// A hidden tab is not painted, so the work starts after this time at the latest.
const longestMs = 100

/** Runs the work after the next paint; returns a function that cancels it. */
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
 * The value as of the last paint. For expensive renders: the response to a key or a click is painted first,
 * and the rest follows.
 */
export function useAfterPaint<Value>(value: Value) {
  const [painted, setPainted] = useState(value)
  useEffect(() => afterPaint(() => startTransition(() => setPainted(value))), [value])
  return painted
}
