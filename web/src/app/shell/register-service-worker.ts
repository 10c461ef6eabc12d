import { toast } from '../../data/toasts.ts'

type Policy = { createScriptURL: (url: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: Policy) => Policy }

/** Registers the service worker, the only script that this page loads by name at run time. */
export function registerServiceWorker() {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('daywright', { createScriptURL: () => '/sw.js' })
  void navigator.serviceWorker
    .register(policy?.createScriptURL('') ?? '/sw.js')
    .then(offerUpdates)
    .catch(() => {}) // not available in private windows: the app works, but not offline
}

/** Offers the update instead of reloading, which could interrupt the user. */
function offerUpdates(registration: ServiceWorkerRegistration) {
  registration.addEventListener('updatefound', () => {
    const next = registration.installing
    next?.addEventListener('statechange', () => {
      if (next.state !== 'installed' || !navigator.serviceWorker.controller) return
      toast('A new version is ready.', {
        stays: true,
        actions: [
          {
            label: 'Reload',
            run: () => {
              navigator.serviceWorker.addEventListener('controllerchange', () => location.reload())
              next.postMessage('take over')
            },
          },
        ],
      })
    })
  })
}
