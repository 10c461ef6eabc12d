import { setTimeout as sleep } from 'node:timers/promises'
import { Inconclusive } from './compare.ts'

const fiveMinutes = 300_000
const soon = 1500

/**
 * For answers that depend on the time: plans begin on marks of five minutes, days do, and nothing
 * else in the model is near. Waits for a mark to pass; if one passed all the same, none can say.
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
