import { ErrorBody } from '@daywright/contract'

/** An error response of the service; the web app shows `body.details` beside the fields. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly body: ErrorBody
  /** The seconds after which the request may be repeated, if the service said so. */
  readonly retryAfter: number | undefined
  /** The id of this request in the service's log. */
  readonly requestId: string | undefined

  constructor({ status, headers }: Response, body: ErrorBody) {
    super(body.error)
    this.status = status
    this.body = body
    const seconds = headers.get('retry-after') ?? ''
    this.retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : undefined
    this.requestId = headers.get('x-request-id') ?? undefined
  }
}

/** Reads an error response. One from a proxy may be text or HTML instead of JSON. */
export function readRefusal(response: Response, text: string) {
  const { data } = ErrorBody.safeParse(parseJson(text))
  return new Refusal(response, data ?? { error: response.statusText || `HTTP ${response.status}` })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
