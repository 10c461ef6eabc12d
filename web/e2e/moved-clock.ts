// `it` with a clock that the test moves: the service, its worker and the page take their time from it.
// PostgreSQL keeps the real time, so the clock may only be ahead of it.
import type { Page } from '@playwright/test'
import { it as base, perWorker } from './it.ts'
import { startService } from './service-with-clock.ts'

export { describe, expect } from './it.ts'

export type Clock = ReturnType<typeof createClock>

export const it = base.extend<object, { clock: Clock }>({
  clock: [async ({}, use) => use(createClock()), perWorker],
  origin: [
    async ({ database, clock }, use) => {
      const service = await startService(database, clock.now)
      clock.pauseForMoves(service.pauseWorker)
      await use(service.origin)
      await service.stop()
    },
    perWorker,
  ],
})

type Pause = (work: () => void) => Promise<void>

function createClock() {
  let aheadMs = 0
  let pause: Pause | undefined
  const now = () => new Date(Date.now() + aheadMs)
  const set = (time: Date) => void (aheadMs = time.getTime() - Date.now())
  return {
    now,
    /** Sets how to pause the worker during a move: a job that began before it would plan with the old time. */
    pauseForMoves: (worker: Pause) => void (pause = worker),
    /** Sets the time. Call this before the page is opened. */
    async start(page: Page, time: Date) {
      set(time)
      await page.clock.install({ time: now() })
    },
    /** Moves the clock. The page wakes up as after sleep: each timer that is due runs once. */
    async moveTo(page: Page, time: Date) {
      await pause?.(() => set(time))
      const shown = await page.evaluate(() => Date.now())
      await page.clock.fastForward(now().getTime() - shown)
    },
  }
}
