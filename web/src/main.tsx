import './styles/app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { setSignedOut } from './account/signed-out.ts'
import { listenForKeys } from './commands/keys.ts'
import { cache, whenSignedOut } from './data/cache.ts'
import { keys } from './data/keys.ts'
import { restoreCache } from './data/persist.ts'
import { iterateStreams } from './data/stream-iterator.ts'
import { router } from './router.ts'
import { keepApp } from './shell/keep-app.ts'
import { showTips } from './ui/tip.ts'

async function open() {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  iterateStreams()
  await restoreCache()
  whenSignedOut(() => {
    // Who has data on the screen keeps it, and is asked to sign in over it.
    if (cache.getQueryData(keys.profile) !== undefined) setSignedOut(true)
    else if (router.state.location.pathname !== '/login') void router.navigate({ to: '/login' })
  })
  listenForKeys()
  showTips()
  createRoot(document.getElementById('root') as HTMLElement).render(
    <QueryClientProvider client={cache}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  keepApp()
}

void open()
