// Screens that need the full width collapse the navigation on a small display.
import { useLayoutEffect } from 'react'
import { createStore } from '../data/create-store.ts'
import { useMedia } from './use-media.ts'

/** How many mounted components want it. */
const wanted = createStore(0)

export function useFullWidth(isWanted: boolean) {
  // Before the paint, so that the width changes only once.
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
