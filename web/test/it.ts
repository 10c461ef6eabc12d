// Vitest's `it` for the app's data layer: the real service on a real database, a new signed-in user for each
// test, and the app's own modules without state from the test before.
import { connectTo } from './transport.ts'
import { it as base, signUp, testApp } from '../../server/test/it.ts'
import { createClient } from '@daywright/client'
import { cache } from '../src/data/query-client.ts'
import { forgetSteps } from '../src/data/steps.ts'
import { dismissAll } from '../src/data/toasts.ts'

export { describe, expect } from 'vitest'
export { exchanges, onRequest, refusal, sent } from './transport.ts'

export const it = base
  // A real clock, because changes are told apart by their times.
  .extend('app', { scope: 'file' }, ({ db }) => testApp(db, () => new Date()))
  .extend('origin', { scope: 'file' }, async ({ app }, { onCleanup }) => {
    onCleanup(() => app.close())
    return app.listen({ port: 0, host: '127.0.0.1' })
  })
  .extend('person', ({ app }) => signUp(app))
  /** A client of the same user outside of the page: to arrange data, and to check what the service has. */
  .extend('elsewhere', ({ person: { cookie }, origin }) => {
    cache.clear()
    forgetSteps()
    dismissAll()
    connectTo({ origin, cookie })
    return createClient({ baseUrl: origin, cookie })
  })
