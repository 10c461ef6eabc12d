// Screens that need the full width collapse the navigation on a small display.
import { useLayoutEffect } from 'react'
import { createStore } from '../data/create-store.ts'
import { useMedia } from './use-media.ts'

/** The number of mounted components that need the full width. */
const wanted = createStore(0)

export function useFullWidth(isWanted: boolean) {
  // A layout effect runs before the paint, so the width changes only once.
  useLayoutEffect(() => {
    if (!isWanted) return
    wanted.set(wanted.get() + 1)
    return () => wanted.set(wanted.get() - 1)
  }, [isWanted])
}

export function useCollapsesNav() {
  const isSmall = useMedia('(width < 1600px)')
  return wanted.use() > 0 && isSmall
}
