// Validates requests against the contract. Responses are not validated: tests hold each of them to the contract.
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { z } from 'zod'
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

/** Most responses are JSON from PostgreSQL and skip this; only the few others are serialized here. */
export const serialize: FastifySerializerCompiler<z.ZodType> = () => JSON.stringify

/**
 * `Prefer: handling=strict` (RFC 7240): refuses unknown fields and query parameters. Without it they are ignored, as
 * the contract says.
 */
export function refuseUnknown(app: FastifyInstance) {
  app.addHook('preValidation', (request, reply, done) => {
    if (!isStrict(request)) return done()
    reply.header('preference-applied', 'handling=strict')
    const { body, querystring } = (request.routeOptions.schema ?? {}) as Record<string, z.ZodType>
    const details = Object.fromEntries([
      ...unknownFields(querystring ?? none, request.query).map(said('Unknown parameter')),
      ...unknownFields(body ?? none, request.body).map(said('Unknown field')),
    ])
    done(Object.keys(details).length > 0 ? invalid(details) : undefined)
  })
}

const none = z.object({})

const isStrict = ({ headers: { prefer } }: FastifyRequest) =>
  prefer !== undefined && /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(String(prefer))

const said =
  (message: string) =>
  (path: string): [string, string[]] => [path, [message]]

/** The paths of all fields the schema does not have, including nested ones: `windows.0.ende`. */
function unknownFields(schema: z.ZodType, data: unknown) {
  const found: string[] = []
  visit(schema, data, [])
  return found

  function visit(part: z.ZodType, value: unknown, path: (string | number)[]) {
    if (typeof value !== 'object' || value === null || found.length >= mostReported) return
    const inner = unwrap(part)
    if (inner instanceof z.ZodArray && Array.isArray(value)) {
      value.forEach((item, index) => visit(inner.element as z.ZodType, item, [...path, index]))
    }
    if (!(inner instanceof z.ZodObject) || Array.isArray(value)) return
    for (const [name, item] of Object.entries(value)) {
      const field = Object.hasOwn(inner.shape, name) ? (inner.shape[name] as z.ZodType) : undefined
      if (field) visit(field, item, [...path, name])
      else if (!inner.def.catchall && found.length < mostReported) {
        found.push([...path, name].join('.'))
      }
    }
  }
}

/** The innermost schema, without wrappers such as optional, default and pipe. */
function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) {
    const { in: first, out } = schema.def
    return unwrap((first instanceof z.ZodTransform ? out : first) as z.ZodType)
  }
  const { innerType } = schema.def as { innerType?: z.ZodType }
  return innerType ? unwrap(innerType) : schema
}
