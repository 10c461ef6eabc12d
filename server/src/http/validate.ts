import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { invalid } from '../errors.ts'

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
  for (const { path, message } of issues) {
    const field = path.join('.') || 'body'
    details[field] = [...(details[field] ?? []), message]
  }
  return details
}
