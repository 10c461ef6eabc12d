import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { invalid } from '../errors.ts'

/** A body with many faults is refused as quickly as one with few. */
const mostReported = 100

/** Decodes what arrived by its contract, or refuses it field by field. */
export const validate: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const { success, data: value, error } = schema.safeParse(data)
    return success ? { value } : { error: invalid(byField(error.issues)) }
  }

/** `['windows', 0, 'end']` becomes `windows.0.end`; a failure of the whole body goes under `body`. */
function byField(issues: { path: PropertyKey[]; message: string }[]) {
  const details: Record<string, string[]> = {}
  for (const { path, message } of issues.slice(0, mostReported)) {
    const field = path.join('.') || 'body'
    details[field] = [...(details[field] ?? []), message]
  }
  return details
}
