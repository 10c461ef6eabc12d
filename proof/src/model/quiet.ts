import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Inconclusive } from './compare.ts'
import type { During } from './model.ts'

const fiveMinutes = 300_000
const soon = 1500

/**
 * For answers that depend on the time: plans and days begin at multiples of five minutes, and nothing else
 * in the model is near. Waits for such a time to pass; if one passed during the request, there is no verdict.
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

/** What depends on the time of a request; if it changed during the request, there is no verdict. */
export function steady<Value>({ began, ended }: During, at: (moment: number) => Value) {
  const value = at(began - 1)
  if (isDeepStrictEqual(value, at(ended + 1))) return value
  throw new Inconclusive('a block began or ended meanwhile')
}
