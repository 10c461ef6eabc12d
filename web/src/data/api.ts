import { createClient } from '@daywright/client'

export { Refusal } from '@daywright/client'

/** The service, at the page's own origin, for whoever is signed in. */
export const api = createClient({ baseUrl: '' })
