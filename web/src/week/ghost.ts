// The drop target of a drag. A separate store, so that pointer moves re-render nothing else.
import { useSyncExternalStore } from 'react'
import type { DragSubject, Span } from './drag.ts'

export type Ghost = { subject: DragSubject; span: Span | undefined; x: number; y: number }

let ghost: Ghost | undefined
const listeners = new Set<() => void>()

export function setGhost(next: Ghost | undefined) {
  ghost = next
  for (const listener of listeners) listener()
}

export const useGhost = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ghost,
  )
