import { createClient } from '@daywright/client'

export { Refusal } from '@daywright/client'

/** The service, at the page's own origin, for whoever is signed in. */
// Not strict: a page that was opened before an upgrade goes on with what the service knows.
export const api = createClient({ baseUrl: '', strict: false })
