// What all attacks share.
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection } from '../kit/connection.ts'

export type Account = { key: string; taskIds: string[]; documentId: string }
export type AttackOptions = {
  port: number
  accounts: Account[]
  signal: AbortSignal
  largeFile: string
  /** The path of the feed of an account that has 2,000 blocks. */
  feed: string
}
/** How often each outcome occurred, such as a status. */
export type Tally = Record<string, number>

export type Attack = (options: AttackOptions, count: (what: string) => void) => Promise<unknown>

/** The anonymous client and each account have their own address. */
export const visitorAddress = '127.0.0.2'
export const addressOf = (index: number) => `127.0.0.${3 + index}`

export const repeat = <Value>(times: number, make: () => Value) =>
  Array.from({ length: times }, make)

/** Sends again as soon as it is answered, or after a pause. */
export async function loop(
  port: number,
  address: string,
  signal: AbortSignal,
  pauseMs: number,
  next: () => string,
  count: (what: string) => void,
) {
  while (!signal.aborted) {
    try {
      const connection = await openConnection(port, address)
      const leave = () => connection.close()
      signal.addEventListener('abort', leave, { once: true })
      while (!signal.aborted && connection.isOpen()) {
        const { status } = await connection.ask(next())
        count(String(status))
        // Refusals come at once: without a pause the attacker would only measure its own speed.
        if (status === 429 || pauseMs > 0) await sleep(Math.max(pauseMs, 5))
      }
      connection.close()
      signal.removeEventListener('abort', leave)
    } catch {
      count('closed')
      await sleep(20)
    }
  }
}
