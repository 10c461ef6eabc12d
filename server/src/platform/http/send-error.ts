import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../db/database-errors.ts'
import { ApiError, badRequest, notFound, unavailable } from '../errors.ts'
import { setCommonHeaders } from './admission.ts'

/** Turns any thrown error into the API's error body. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const answer = asApiError(error)
  if (!reply.hasHeader('x-request-id')) setCommonHeaders(request, reply) // a malformed path runs no hook
  if (error.cause || error !== (answer as Error)) log(error, answer, request)
  return reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .headers(answer.headers)
    .send(JSON.stringify(answer.body))
}

/** Called for errors that are not our own; those we throw on purpose are not logged. */
function log(error: FastifyError, { status, body }: ApiError, request: FastifyRequest) {
  const level = status < 500 ? 'debug' : status === 503 ? 'warn' : 'error'
  request.log[level]({ err: error }, body.error)
}

// A malformed percent-encoding in a path, or an id longer than any id.
const noPath = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH'])

function asApiError(error: FastifyError): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error)) return unavailable()
  if (error.code === 'FST_ERR_CTP_INVALID_JSON_BODY') return badRequest('Invalid JSON')
  if (noPath.has(error.code)) return notFound('Not found')
  const status = error.statusCode ?? 500
  return new ApiError(status, { error: status < 500 ? error.message : 'Internal server error' })
}
