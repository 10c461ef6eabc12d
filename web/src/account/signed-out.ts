// Whether the service no longer knows the one whose data is on the screen.
import { useSyncExternalStore } from 'react'

let isOut = false
const listeners = new Set<() => void>()

export function setSignedOut(value: boolean) {
  isOut = value
  for (const listener of listeners) listener()
}

export const useSignedOut = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOut,
  )
