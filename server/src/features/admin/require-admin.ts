import type { FastifyRequest } from 'fastify'
import { notFound } from '../../platform/errors.ts'

/** Answers 404 to callers that are not admins. */
export function requireAdmin(request: FastifyRequest) {
  if (!request.caller.isAdmin) throw notFound('Not found')
}
