// Keeps the app itself, so that it opens without a network. Data is not its business: that is in
// IndexedDB, by user. A new version waits until the page says so, and never changes one in use.
const version = '__VERSION__'
const files = '__FILES__'
const cacheName = `daywright-${version}`

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name !== cacheName))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('message', (event) => {
  if (event.data === 'take over') void self.skipWaiting()
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (isApp(url.pathname)) event.respondWith(page(request))
  } else if (url.pathname.startsWith('/assets/') || files.includes(url.pathname)) {
    event.respondWith(kept(request))
  }
})

/** What the server itself answers, and the app has no part in. */
const isApp = (path) => !/^\/(api|docs|health|metrics)(\/|$)/.test(path)

/** The page that was kept with the scripts that are kept: both of one version. */
async function page(request) {
  const cache = await caches.open(cacheName)
  return (await cache.match('/')) ?? fetch(request)
}

async function kept(request) {
  const cache = await caches.open(cacheName)
  const found = await cache.match(request, { ignoreSearch: true })
  if (found) return found
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}
