// Whether the session of the user whose data is shown has ended.
import { useSyncExternalStore } from 'react'

let isOut = false
const listeners = new Set<() => void>()

export function setSignedOut(value: boolean) {
  isOut = value
  // styles/app.css hides the page behind the dialog.
  document.documentElement.toggleAttribute('data-signed-out', value)
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
