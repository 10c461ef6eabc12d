// A hook for the log: while the database is away every request and every loop fails for the same
// reason, several times a second. One line says so, then one a minute with the number of failures.
import { isAway } from './violations.ts'

const everyMs = 60_000

export function logOutages(now: () => number) {
  let last = -Infinity
  let failures = 0

  return function logMethod(this: object, args: unknown[], method: (...args: never[]) => void) {
    const error = errorOf(args[0])
    if (!isOutage(error)) return method.apply(this, args as never[])
    failures += 1
    if (now() - last < everyMs) return
    const line = [{ failures }, `The database is away: ${reasonOf(error as Error)}`]
    method.apply(this, line as never[])
    last = now()
    failures = 0
  }
}

// What Graphile Worker says, as text: it has lost the connection on which it listens, or a job has met
// a database that is away. The first line is enough.
const lostListener =
  /^(Error (with notify listener|occurred attempting to UNLISTEN)|Failed task .* with error 'Service unavailable')/
const lostConnection = /^(connect E|read E|write E|Connection terminated|timeout exceeded)/

const isOutage = (error: unknown) =>
  isAway(error) ||
  (error instanceof Error &&
    (lostListener.test(error.message) || lostConnection.test(error.message)))

function errorOf(first: unknown) {
  if (typeof first === 'string' && lostListener.test(first))
    return new Error(first.split('\n', 1)[0])
  return first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err
}

/** The innermost: an answer of ours says only that the service is unavailable. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
