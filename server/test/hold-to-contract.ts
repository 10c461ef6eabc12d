import { deepStrictEqual } from 'node:assert'
import { ErrorBody } from '@daywright/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

/**
 * Validates every response of a test's app against the contract: the server passes PostgreSQL's JSON on
 * unparsed, so a missing or extra field or a wrong timestamp format shows only here.
 */
export function holdToContract(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!request.url.startsWith('/api/') || request.url === '/api/openapi.json') return payload
    const answers = request.routeOptions.schema?.response as Record<number, z.ZodType> | undefined
    const schema = reply.statusCode < 400 ? answers?.[reply.statusCode] : ErrorBody
    const answer = `${request.method} ${request.url} ${reply.statusCode}`
    if (!schema) throw new Error(`${answer} is not in the contract`)
    const json: unknown = JSON.parse(String(payload))
    const { data, error } = schema.safeParse(json)
    if (error) throw new Error(`${answer} strays from its contract: ${error.message}`)
    const encoded = withoutAbsentNulls(z.encode(schema, data), json)
    deepStrictEqual(json, encoded, `${answer} strays from its contract`)
    return payload
  })
}

/** Removes nulls that the response leaves out: they are defaults of the schema, or parsing would have failed. */
function withoutAbsentNulls(encoded: unknown, json: unknown): unknown {
  if (Array.isArray(encoded) && Array.isArray(json)) {
    return encoded.map((each, index) => withoutAbsentNulls(each, json[index]))
  }
  if (!isObject(encoded) || !isObject(json)) return encoded
  return Object.fromEntries(
    Object.entries(encoded)
      .filter(([field, value]) => value !== null || field in json)
      .map(([field, value]) => [field, withoutAbsentNulls(value, json[field])]),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
