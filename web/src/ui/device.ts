// Settings of this device instead of the account: its appearance.
import { createStore } from '../data/create-store.ts'

export type Device = {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'normal' | 'roomy'
  /** Shortcuts without Ctrl or Alt, which can be pressed by accident. */
  singleKeys: boolean
  isSideClosed: boolean
  isTaskListClosed: boolean
  /** The automatic plan that was accepted on Today. */
  seenRun: string
}

const name = 'daywright.device'
const initial: Device = {
  theme: 'system',
  density: 'normal',
  singleKeys: true,
  isSideClosed: false,
  isTaskListClosed: false,
  seenRun: '',
}
const current = createStore<Device>({ ...initial, ...read() })
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

export const { get: device, use: useDevice } = current

export function setDevice(changes: Partial<Device>) {
  current.set({ ...device(), ...changes })
  localStorage.setItem(name, JSON.stringify(device()))
  draw()
}

export const isDark = () =>
  device().theme === 'dark' || (device().theme === 'system' && prefersDark.matches)

function draw() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
  document.documentElement.dataset.density = device().density
}

function read(): Partial<Device> {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}') as Partial<Device>
  } catch {
    return {}
  }
}

prefersDark.addEventListener('change', draw)
