import { createClient } from '@daywright/client'
import { fetchWithRealIds } from './provisional-ids.ts'

export { Refusal } from '@daywright/client'

/** The service at the page's own origin, with the session cookie. */
// Not strict: a page opened before an upgrade keeps working with the fields the service knows.
export const api = createClient({
  baseUrl: '',
  strict: false,
  fetch: fetchWithRealIds as typeof fetch,
})
