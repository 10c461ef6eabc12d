// Settings of this device rather than of the account, such as its appearance.
import { createStore } from '../data/create-store.ts'

export type Device = {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'normal' | 'roomy'
  /** Whether shortcuts without Ctrl or ⌘ work, which can be pressed by accident. */
  singleKeys: boolean
  isSideClosed: boolean
  isTaskListClosed: boolean
  /** The id of the automatic planner run that the user last accepted on Today. */
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
