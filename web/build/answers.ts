// What the web app has in place of Zod's schemas, which would be half of its JavaScript. The service
// holds every answer to the contract in its own tests; here an answer is only made usable: a
// timestamp becomes a `Date`. `answers.test.ts` holds this to the contract's examples.

const timestampField = /At$|^(at|startAfter|targetDate)$/
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const guid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i

export const nobody = '00000000-0000-0000-0000-000000000000'

/** The same value with its timestamps as dates; changes it in place, for it was just parsed. */
export function withDates(value: unknown): unknown {
  if (Array.isArray(value)) for (const item of value) withDates(item)
  else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>
    for (const field of Object.keys(record)) {
      const held = record[field]
      if (typeof held === 'object') withDates(held)
      else if (typeof held === 'string' && timestampField.test(field) && timestamp.test(held)) {
        record[field] = new Date(held)
      }
    }
  }
  return value
}

export const answer = {
  parse: withDates,
  safeParse: (value: unknown) => ({ data: hasError(value) ? value : undefined }),
}

export const Id = {
  catch: (fallback: string) => ({ parse: (id: string) => (guid.test(id) ? id : fallback) }),
}

/** The little of Zod that the client itself says. */
export const z = {
  array: () => answer,
  object: () => answer,
  looseObject: () => answer,
  literal: () => answer,
}

const hasError = (value: unknown) =>
  typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'
