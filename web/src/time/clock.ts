// The only place in the web app that reads the clock.
import { useSyncExternalStore } from 'react'

export const now = () => new Date(Date.now())

const stepMs = 15_000
let current = Date.now()

function subscribe(listener: () => void) {
  current = Date.now() // the last tick may be hours ago
  const tick = () => {
    current = Date.now()
    listener()
  }
  const timer = setInterval(tick, stepMs)
  // A sleeping laptop misses ticks.
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** The current time in steps of 15 seconds; re-renders the component at each step. */
export function useNow() {
  const ms = useSyncExternalStore(subscribe, () => current)
  return new Date(ms)
}
