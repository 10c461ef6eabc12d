import { setTimeout as sleep } from 'node:timers/promises'
import type { embeddedPostgres } from './embedded-postgres.ts'

// It may have been killed for want of memory, and be killed again: so there is a pause, and an end.
const pausesMs = [0, 1000, 5000, 15_000, 30_000]
/** A server that has run for so long is taken for well. */
const steadyMs = 60_000

type Options = {
  log: { info(text: string): void; error(error: unknown, text?: string): void }
  /** Called once it cannot be brought back. */
  giveUp: (error: Error) => void
  pauses?: number[]
}

/** Starts the server again whenever it ends without having been told to. */
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
    log.error('The bundled PostgreSQL has ended. Starting it again')
    let reason = new Error('It ended again and again')
    while (attempts < pauses.length) {
      await sleep(pauses[attempts])
      attempts += 1
      if (isOver) return
      try {
        await database.start()
        startedAt = Date.now()
        return log.info('The bundled PostgreSQL runs again')
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
