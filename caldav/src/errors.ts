export type DavErrorReason =
  /** The user name or the password is wrong. */
  | 'unauthorized'
  /** The address does not exist, or is not a calendar. */
  | 'not-found'
  /** The server does not support CalDAV, or its response violates the protocol. */
  | 'not-caldav'
  /** Too many requests; `retryAfterSeconds` may say how long to wait. */
  | 'too-many-requests'
  | 'too-large'
  /** The calendar may not be written to. */
  | 'read-only'
  /** Any other answer that is not a success. */
  | 'failed'

export class DavError extends Error {
  override readonly name = 'DavError'
  readonly reason: DavErrorReason
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    reason: DavErrorReason,
    { status, retryAfterSeconds }: { status?: number; retryAfterSeconds?: number } = {},
  ) {
    super(status === undefined ? reason : `${reason}: ${status}`)
    this.reason = reason
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}
