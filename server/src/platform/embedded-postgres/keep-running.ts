import { setTimeout as sleep } from 'node:timers/promises'
import type { embeddedPostgres } from './embedded-postgres.ts'

// The server may have been killed for lack of memory, and be killed again, so restarts back off and are limited.
const pausesMs = [0, 1000, 5000, 15_000, 30_000]
/** A server that has run this long counts as healthy. */
const steadyMs = 60_000

type Options = {
  log: { info(text: string): void; error(error: unknown, text?: string): void }
  /** Called when the server cannot be restarted. */
  giveUp: (error: Error) => void
  pauses?: number[]
}

/** Restarts the server whenever it ends unexpectedly. */
export function keepRunning(
  database: Pick<ReturnType<typeof embeddedPostgres>, 'start' | 'onLost'>,
  { log, giveUp, pauses = pausesMs }: Options,
) {
  let attempts = 0
  let startedAt = -Infinity
  let isOver = false

  database.onLost(() => void bringBack())

  async function bringBack() {
    if (Date.now() - startedAt > steadyMs) attempts = 0
    log.error('The bundled PostgreSQL stopped unexpectedly. Restarting it')
    let reason = new Error('It stopped repeatedly')
    while (attempts < pauses.length) {
      await sleep(pauses[attempts])
      attempts += 1
      if (isOver) return
      try {
        await database.start()
        startedAt = Date.now()
        return log.info('The bundled PostgreSQL is running again')
      } catch (error) {
        reason = error as Error
      }
    }
    if (!isOver) giveUp(reason)
  }

  return {
    stop() {
      isOver = true
    },
  }
}
