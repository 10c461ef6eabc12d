import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from './violations.ts'

const tries = 3

/** Two that got into each other's way would meet again if both came back at once. */
export const aMoment = (attempt: number) => sleep(100 * attempt * Math.random())

/** A second and a third try where another request was in the way. */
export async function retrying<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === tries || !isPassing(error)) throw error
      await aMoment(attempt)
    }
  }
}
