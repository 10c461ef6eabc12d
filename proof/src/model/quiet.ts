import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Inconclusive } from './compare.ts'
import type { During } from './model.ts'

const fiveMinutes = 300_000
const soon = 1500

/**
 * Makes a request whose answer depends on the time. Plans and days begin at multiples of five minutes: waits until
 * such a time has passed if it is near, and throws `Inconclusive` if one passed during the request.
 */
export async function quiet<Result>(ask: () => Promise<Result>) {
  const left = fiveMinutes - (Date.now() % fiveMinutes)
  if (left < soon) await sleep(left + 50)
  const began = Date.now()
  const result = await ask()
  const isPassed = Math.floor(began / fiveMinutes) !== Math.floor(Date.now() / fiveMinutes)
  if (isPassed) throw new Inconclusive('a mark of five minutes passed')
  return result
}

/** A value that depends on the time of a request. Throws `Inconclusive` if it changed during the request. */
export function steady<Value>({ began, ended }: During, at: (moment: number) => Value) {
  const value = at(began - 1)
  if (isDeepStrictEqual(value, at(ended + 1))) return value
  throw new Inconclusive('a block began or ended meanwhile')
}
