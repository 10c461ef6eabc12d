// Settings of this device instead of the account: its appearance.
import { useSyncExternalStore } from 'react'

export type Device = {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'normal' | 'roomy'
  /** Shortcuts without Ctrl or Alt, which can be pressed by accident. */
  singleKeys: boolean
  isSideClosed: boolean
  isTaskListClosed: boolean
}

const name = 'daywright.device'
const initial: Device = {
  theme: 'system',
  density: 'normal',
  singleKeys: true,
  isSideClosed: false,
  isTaskListClosed: false,
}
let current: Device = { ...initial, ...read() }
const listeners = new Set<() => void>()
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

export const device = () => current

export function setDevice(changes: Partial<Device>) {
  current = { ...current, ...changes }
  localStorage.setItem(name, JSON.stringify(current))
  draw()
  for (const listener of listeners) listener()
}

export const useDevice = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )

export const isDark = () =>
  current.theme === 'dark' || (current.theme === 'system' && prefersDark.matches)

function draw() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
  document.documentElement.dataset.density = current.density
}

function read(): Partial<Device> {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}') as Partial<Device>
  } catch {
    return {}
  }
}

prefersDark.addEventListener('change', draw)
