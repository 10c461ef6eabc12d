// The server's `it`, with the service on a real socket: `me` has a key, `visitor` has not signed up.
import { randomUUID } from 'node:crypto'
import { it as base } from '../../server/test/it.ts'
import { createClient } from '../src/index.ts'

export const it = base
  .extend('baseUrl', { scope: 'file' }, async ({ app }, { onCleanup }) => {
    onCleanup(() => app.close())
    return app.listen({ port: 0 })
  })
  .extend('me', ({ baseUrl, ada }) => createClient({ baseUrl, apiKey: ada.key }))
  .extend('visitor', ({ baseUrl }) => createClient({ baseUrl }))

export const password = 'correct horse battery staple'

export const newcomer = () => ({ email: `${randomUUID()}@example.com`, password, name: 'Ada' })
