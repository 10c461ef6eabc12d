import { ErrorBody } from '@daywright/contract'

/** What the service answered when it refused; the web app shows `body.details` beside the fields. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly body: ErrorBody
  /** In how many seconds the same request may be sent again, if the service said so. */
  readonly retryAfter: number | undefined
  /** By which the service's log knows this request. */
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

/** Also where a proxy on the way refused, in words or a page of its own. */
export function readRefusal(response: Response, text: string) {
  const { data } = ErrorBody.safeParse(parsed(text))
  return new Refusal(response, data ?? { error: response.statusText || `HTTP ${response.status}` })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
