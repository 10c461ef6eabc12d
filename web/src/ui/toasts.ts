// Toasts: what has just happened, in a line at the foot of the page, with Undo.
import { useSyncExternalStore } from 'react'

export type Toast = {
  id: number
  text: string
  tone?: 'plain' | 'error'
  /** Until it is dismissed, as for every error. */
  stays?: boolean
  action?: { label: string; run: () => void }
}

const lastsMs = 6000
let toasts: Toast[] = []
let count = 0
const listeners = new Set<() => void>()

function set(next: Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export function toast(text: string, more: Partial<Omit<Toast, 'id' | 'text'>> = {}) {
  count += 1
  const id = count
  const made = { id, text, stays: more.tone === 'error', ...more }
  // Keep only the last of those that stay, and the last of those that time out.
  const others = [true, false].flatMap((stays) =>
    toasts.filter((each) => each.stays === stays).slice(-1),
  )
  set([...others, made])
  if (!made.stays) setTimeout(() => dismiss(id), lastsMs)
  return id
}

export const dismiss = (id: number) => set(toasts.filter((each) => each.id !== id))

export const dismissAll = () => set([])

export const shownToasts = () => toasts

export const useToasts = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
