// Screens that need the full width collapse the navigation on a small display.
import { useLayoutEffect, useSyncExternalStore } from 'react'

const small = matchMedia('(width < 1600px)')
let wanted = 0
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

export function useFullWidth(isWanted: boolean) {
  // Before the paint, so that the width changes only once.
  useLayoutEffect(() => {
    if (!isWanted) return
    wanted += 1
    tell()
    return () => {
      wanted -= 1
      tell()
    }
  }, [isWanted])
}

export const useCollapsesNav = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      small.addEventListener('change', listener)
      return () => {
        listeners.delete(listener)
        small.removeEventListener('change', listener)
      }
    },
    () => wanted > 0 && small.matches,
  )
