import type { FastifyRequest } from 'fastify'
import { notFound } from '../errors.ts'

/** For whoever is no admin, there is nothing here. */
export function requireAdmin(request: FastifyRequest) {
  if (!request.caller.isAdmin) throw notFound('Not found')
}
