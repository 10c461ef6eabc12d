import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import type { z } from 'zod'

/** Most answers are JSON already, built by PostgreSQL, and never come here; the few others do. */
export const serialize: FastifySerializerCompiler<z.ZodType> = () => JSON.stringify
