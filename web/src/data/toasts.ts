// Toasts: what has just happened, in a line at the foot of the page, with Undo.
import { createStore } from './create-store.ts'

export type ToastAction = { label: string; run: () => void }

export type Toast = {
  id: number
  text: string
  tone?: 'plain' | 'error'
  /** Whether it stays until it is dismissed, as every error does. */
  stays?: boolean
  actions?: ToastAction[]
}

const lastsMs = 6000
const toasts = createStore<Toast[]>([])
let count = 0

export const { get: shownToasts, use: useToasts } = toasts

export function toast(text: string, more: Partial<Omit<Toast, 'id' | 'text'>> = {}) {
  count += 1
  const id = count
  const made = { id, text, stays: more.tone === 'error', ...more }
  // Keep only the last of those that stay, and the last of those that time out.
  const others = [true, false].flatMap((stays) =>
    shownToasts()
      .filter((each) => each.stays === stays)
      .slice(-1),
  )
  toasts.set([...others, made])
  if (!made.stays) setTimeout(() => dismiss(id), lastsMs)
  return id
}

export const dismiss = (id: number) => toasts.set(shownToasts().filter((each) => each.id !== id))

export const dismissAll = () => toasts.set([])
