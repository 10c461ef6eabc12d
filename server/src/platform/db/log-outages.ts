// A log hook for outages, in which every request and loop fails for the same reason several times a second. Logs
// the outage once, and then the number of failures once a minute.
import { isOutage, isReadOnly } from './database-errors.ts'

const everyMs = 60_000

export function logOutages(now: () => number) {
  let last = -Infinity
  let failures = 0

  return function logMethod(this: object, args: unknown[], method: (...args: never[]) => void) {
    const error = errorOf(args[0])
    if (!isOfOutage(error)) return method.apply(this, args as never[])
    failures += 1
    if (now() - last < everyMs) return
    const what = isReadOnly(error) ? 'cannot be written to' : 'is unreachable'
    const line = [{ failures }, `The database ${what}: ${reasonOf(error as Error)}`]
    method.apply(this, line as never[])
    last = now()
    failures = 0
  }
}

// Graphile Worker reports as text that its listener lost the connection. The first line is enough.
const lostListener = /^Error (with notify listener|occurred attempting to UNLISTEN)/
const lostConnection = /^(connect E|read E|write E|Connection terminated|timeout exceeded)/

const isOfOutage = (error: unknown) =>
  isOutage(error) ||
  (error instanceof Error &&
    (lostListener.test(error.message) || lostConnection.test(error.message)))

function errorOf(first: unknown) {
  if (typeof first === 'string' && lostListener.test(first))
    return new Error(first.split('\n', 1)[0])
  return first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err
}

/** The innermost cause: our own error only says that the service is unavailable. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
