import '../styles/app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { endSession, followOtherTabs } from './auth/session.ts'
import { listenForKeys } from '../ui/commands/keys.ts'
import { cache, onUnauthorized } from '../data/query-client.ts'
import { keys } from '../data/keys.ts'
import { restoreCache } from '../data/persist.ts'
import { iterateStreams } from '../data/stream-iterator.ts'
import { router } from './router.ts'
import { registerServiceWorker } from './shell/register-service-worker.ts'
import { showTips } from '../ui/tip.ts'

async function open() {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  iterateStreams()
  await restoreCache()
  onUnauthorized(() => {
    // If data is shown, it stays in memory, and a dialog over it asks to sign in again.
    if (cache.getQueryData(keys.profile) !== undefined) endSession()
    else if (router.state.location.pathname !== '/login') void router.navigate({ to: '/login' })
  })
  followOtherTabs()
  listenForKeys()
  showTips()
  createRoot(document.getElementById('root') as HTMLElement).render(
    <QueryClientProvider client={cache}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  registerServiceWorker()
}

void open()
