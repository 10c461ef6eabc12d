// The only place in the web app that asks what time it is.
import { useSyncExternalStore } from 'react'

export const now = () => new Date(Date.now())

const stepMs = 15_000
let current = Date.now()

function subscribe(listener: () => void) {
  current = Date.now() // nobody may have looked for hours
  const tick = () => {
    current = Date.now()
    listener()
  }
  const timer = setInterval(tick, stepMs)
  // A laptop that was asleep has missed its ticks.
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** The time, to a quarter of a minute; a component that uses it is drawn again as it passes. */
export function useNow() {
  const ms = useSyncExternalStore(subscribe, () => current)
  return new Date(ms)
}
