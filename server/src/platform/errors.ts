import type { ErrorBody } from '@daywright/contract'

/** An error response. Thrown anywhere; sent in one place, `platform/http/send-error.ts`. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Record<string, string>

  constructor(status: number, body: ErrorBody, headers: Record<string, string> = {}) {
    super(body.error)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const badRequest = (error: string, more: Omit<ErrorBody, 'error'> = {}) =>
  new ApiError(400, { error, ...more })

/** Refuses a body or query, with messages per field. */
export const invalid = (details: Record<string, string[]>) =>
  badRequest('Validation failed', { details })

/** A reference to a record that does not exist or belongs to another user. */
export const referenceNotFound = (field: string) => badRequest(`${field} not found`, { field })

export const unauthorized = () =>
  new ApiError(401, { error: 'Unauthorized' }, { 'www-authenticate': 'Bearer' })
export const forbidden = (error: string) => new ApiError(403, { error })
/** One of the user's limits refuses the change. */
export const isLimitReached = (error: unknown) => error instanceof ApiError && error.status === 403
export const notFound = (error: string) => new ApiError(404, { error })
export const conflict = (error: string) => new ApiError(409, { error })
export const unprocessable = (error: string) => new ApiError(422, { error })

export const tooManyRequests = (retryAfterSeconds: number) =>
  new ApiError(429, { error: 'Too many requests' }, { 'retry-after': String(retryAfterSeconds) })

/** Temporary: the client may retry after `retryAfterSeconds`. */
export const unavailable = (error = 'Service unavailable', retryAfterSeconds = 1) =>
  new ApiError(503, { error }, { 'retry-after': String(retryAfterSeconds) })
