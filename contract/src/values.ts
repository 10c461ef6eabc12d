// The basic values that resources consist of, each defined once.
import { z } from 'zod'
import { parseTimestamp } from './parse-timestamp.ts'

/** `guid`, not the stricter `uuid`: an id we never issued is unknown (404), not malformed (400). */
export const Id = z.guid().meta({ examples: ['01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e11'] })

/** No record has this id. A malformed id is replaced by it, and so matches nothing. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'

/** The id of another record in a body. A malformed one refers to nothing: `<field> not found`. */
export const Reference = z
  .string()
  .transform((text) => (Id.safeParse(text).success ? text : nilUuid))
  .meta({ format: 'uuid', examples: ['01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e11'] })

/** The id in a path: a malformed one matches nothing (404). */
export const PathId = z.object({ id: Id.catch(nilUuid) })

/** The id in a list's filter: a malformed one matches nothing. */
export const FilterId = Id.catch(nilUuid).optional()

/** A `Date` in code on both sides; ISO 8601 in UTC with milliseconds in JSON. */
export const Timestamp = z
  .codec(z.iso.datetime({ offset: true }), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  .meta({ examples: ['2026-03-02T08:00:00.000Z'] })

const described = { format: 'date-time', examples: ['2026-03-02T08:00:00Z'] }
const notATimestamp = 'Must be an ISO 8601 date or date-time'

/** A timestamp as clients may send it: with `Z`, an offset or neither (UTC); or a date alone. */
export const TimestampInput = z
  .string()
  .transform((text, context) => parseTimestamp(text) ?? refuse(context, notATimestamp))
  .meta(described)

/** A timestamp input for which `""`, like null, clears the field. */
export const ClearableTimestamp = z
  .string()
  .nullable()
  .transform((text, context) =>
    text === null || text === '' ? null : (parseTimestamp(text) ?? refuse(context, notATimestamp)),
  )
  .meta(described)

/** A time of day, on a 24-hour clock. */
export const ClockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Must be a 24-hour time like 09:30', abort: true })
  .meta({ examples: ['09:30'] })

// PostgreSQL cannot store U+0000, and would replace a lone surrogate.
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Text of `min` to `max` UTF-16 code units, as JavaScript counts them. Nothing is trimmed. */
export const text = (min: number, max: number) =>
  z
    .string()
    // Not .min() and .max(), which count code points.
    .refine(({ length }) => length >= min, {
      error: `Must have at least ${min} characters`,
      abort: true,
    })
    .refine(({ length }) => length <= max, {
      error: `Must have at most ${max} characters`,
      abort: true,
    })
    .refine(isStorable, 'Must not contain U+0000 or half of a surrogate pair')
    .meta({ minLength: min, maxLength: max })

export const Description = text(0, 100_000)
export const SortOrder = z.number()
export const HexColor = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'Must be a color like #1A2B3C')
  .meta({ examples: ['#1A2B3C'] })

/** A field that a response has only if the request asks for it. Without it, the client reads null. */
export const onRequest = <Value extends z.ZodNullable>(value: Value) => value.default(null as never)

/** A boolean in a query. */
export const Flag = z.enum(['true', 'false']).optional()

/** A query parameter that is a whole number from 1 to `most`; `fallback` if it is absent. */
export const limit = (most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(most))
    .default(fallback)
    .meta({ type: 'integer', minimum: 1, maximum: most, default: fallback, pattern: undefined })

/** Selects a page of a list. */
export const PageQuery = z.object({ page: limit(999_999_999, 1), limit: limit(100, 50) })
export const Pagination = z.object({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  pages: z.int(),
})

/** The error message for a body that contains no change. */
export const nothingToChange = 'Must change something'

export const Health = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', examples: [{ status: 'ok' }] })

export const Readiness = z
  .object({
    status: z.literal('ok'),
    worker: z.enum(['alive', 'missing', 'unknown']).meta({
      description:
        'Whether any worker is running. Without one, there are no automatic plans, summaries ' +
        'or webhook deliveries, but requests are still served',
    }),
  })
  .meta({ id: 'Readiness', examples: [{ status: 'ok', worker: 'alive' }] })

export const Success = z
  .object({ success: z.literal(true) })
  .meta({ id: 'Success', examples: [{ success: true }] })

/** The body of every error response. `details` maps a field to its errors. */
export const ErrorBody = z
  .object({
    error: z.string(),
    field: z.string().optional(),
    details: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({ id: 'Error', examples: [{ error: 'Not found' }] })

export type Success = z.infer<typeof Success>
export type ErrorBody = z.infer<typeof ErrorBody>

function refuse(context: { addIssue(message: string): void }, message: string) {
  context.addIssue(message)
  return z.NEVER
}

/** What has made a record: a person who was signed in, or an API key. */
export const CreatedBy = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('person') }),
    z.object({ kind: z.literal('key'), id: Id, name: z.string() }),
  ])
  .nullable()
