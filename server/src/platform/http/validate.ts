import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { invalid } from '../errors.ts'

/** Bounds the cost of refusing a body with many errors. */
const mostReported = 100

/** Decodes the input by its contract, or refuses it with messages per field. */
export const validate: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const { success, data: value, error } = schema.safeParse(data)
    return success ? { value } : { error: invalid(byField(error.issues)) }
  }

/** `['windows', 0, 'end']` becomes `windows.0.end`; an error of the whole body goes under `body`. */
function byField(issues: { path: PropertyKey[]; message: string }[]) {
  const details: Record<string, string[]> = {}
  for (const { path, message } of issues.slice(0, mostReported)) {
    const field = path.join('.') || 'body'
    details[field] = [...(details[field] ?? []), message]
  }
  return details
}
