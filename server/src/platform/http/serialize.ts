import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import type { z } from 'zod'

/** Most responses are JSON from PostgreSQL and skip this; only the few others are serialized here. */
export const serialize: FastifySerializerCompiler<z.ZodType> = () => JSON.stringify
