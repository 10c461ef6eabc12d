// The memory that the main thread and the watchdog share.
export const cells = {
  /** How often the main thread has run. */
  beats: 0,
  /** After how many ticks the process is ended; -1 while it may run. */
  ticksToEnd: 1,
  /** Never changes: the watchdog waits for it. */
  never: 2,
}

export const tickMs = 250

export type WatchdogData = { buffer: SharedArrayBuffer; mostTicks: number }
