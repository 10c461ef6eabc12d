import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient } from './database-errors.ts'

const tries = 3

/** Backoff with jitter, so that two conflicting requests do not collide again. */
export const backoff = (attempt: number) => sleep(100 * attempt * Math.random())

/** Retries up to twice after a conflict with a concurrent request. */
export async function retrying<Result>(
  work: (isLast: boolean) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt === tries)
    } catch (error) {
      if (attempt === tries || !isTransient(error)) throw error
      await backoff(attempt)
    }
  }
}
