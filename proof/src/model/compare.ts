// Compares expected and actual values field by field. A time that the service chose is expected within a range,
// and known from then on.

export type Stamp = { earliest: number; latest: number }

/** A time: known, known within a range, or none. */
export type Time = number | Stamp | null

/** For a value that is not known in advance: returns what is wrong with it, if anything. */
type Judge = (actual: unknown) => string | undefined

export class Divergence extends Error {}

/** A time on which the answer depends has passed during the request: no verdict is possible. */
export class Inconclusive extends Error {}

export const between = (earliest: number, latest: number): Stamp => ({ earliest, latest })

const isStamp = (value: unknown): value is Stamp =>
  typeof value === 'object' && value !== null && 'earliest' in value && 'latest' in value

export const earliest = (time: Time) => (isStamp(time) ? time.earliest : (time ?? -Infinity))

/** The time in the format of the API. */
export const wire = (time: Time) => (typeof time === 'number' ? new Date(time).toISOString() : time)

const onTheWire = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const inTheDatabase = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?\+00:00$/

/** The difference as text; undefined if there is none. Stamps that match are set to the actual time. */
export function difference(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (typeof expected === 'function') {
    const wrong = (expected as Judge)(actual)
    return wrong === undefined ? undefined : `${path || 'it'}: ${wrong}, not ${brief(actual)}`
  }
  if (isStamp(expected)) return stampDifference(expected, actual, path)
  if (Array.isArray(expected)) return listDifference(expected, actual, path)
  if (typeof expected === 'object' && expected !== null) {
    return objectDifference(expected as Record<string, unknown>, actual, path)
  }
  return expected === actual
    ? undefined
    : `${path || 'it'} should be ${brief(expected)} and is ${brief(actual)}`
}

function stampDifference(stamp: Stamp, actual: unknown, path: string) {
  const isTime =
    typeof actual === 'string' && (onTheWire.test(actual) || inTheDatabase.test(actual))
  const time = isTime ? Date.parse(actual) : NaN
  if (time >= stamp.earliest && time <= stamp.latest) {
    stamp.earliest = time
    stamp.latest = time
    return undefined
  }
  const range = [stamp.earliest, stamp.latest].map((moment) => new Date(moment).toISOString())
  return `${path} should be within ${range.join(' and ')} and is ${brief(actual)}`
}

function listDifference(expected: unknown[], actual: unknown, path: string) {
  if (!Array.isArray(actual)) return `${path || 'it'} should be a list and is ${brief(actual)}`
  for (const [index, item] of expected.entries()) {
    if (index >= actual.length) return `${path}[${index}] lacks ${brief(item)}`
    const found = difference(item, actual[index], `${path}[${index}]`)
    if (found) return found
  }
  return actual.length > expected.length
    ? `${path}[${expected.length}] is too much: ${brief(actual[expected.length])}`
    : undefined
}

function objectDifference(expected: Record<string, unknown>, actual: unknown, path: string) {
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) {
    return `${path || 'it'} should be ${brief(expected)} and is ${brief(actual)}`
  }
  const given = actual as Record<string, unknown>
  for (const [name, value] of Object.entries(expected)) {
    const inner = path ? `${path}.${name}` : name
    if (!(name in given)) return `${inner} is missing`
    const found = difference(value, given[name], inner)
    if (found) return found
  }
  const extra = Object.keys(given).find((name) => !(name in expected))
  return extra === undefined ? undefined : `${path || 'it'} has ${extra} too much`
}

export function brief(value: unknown) {
  const text = typeof value === 'function' ? 'something' : (JSON.stringify(value) ?? String(value))
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
