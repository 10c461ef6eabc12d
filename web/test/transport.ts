// The network of the page: `/api/…` goes to the service under test, with the cookie of the signed-in user.
// Imported before the app's own modules, which read `fetch` when they load.
type Exchange = { method: string; path: string; status?: number }
type Respond = (path: string, init: RequestInit) => Response | undefined

const realFetch = globalThis.fetch
let origin = ''
let cookie = ''
let interfere: Respond = () => undefined

/** Requests since the test began; without a status until they are answered. */
export const exchanges: Exchange[] = []

export function connectTo(service: { origin: string; cookie: string }) {
  origin = service.origin
  cookie = service.cookie
  interfere = () => undefined
  exchanges.length = 0
}

/** Sets a function that answers some requests in place of the service, or fails them by throwing. */
export const onRequest = (respond: Respond) => {
  interfere = respond
}

export const refusal = (status: number, error: string) => Response.json({ error }, { status })

export const sent = (method: string, path?: RegExp) =>
  exchanges.filter((each) => each.method === method && (path?.test(each.path) ?? true))

globalThis.fetch = async (input, init = {}) => {
  const path = typeof input === 'string' ? input : ''
  if (!path.startsWith('/')) return realFetch(input, init)
  const exchange: Exchange = { method: init.method ?? 'GET', path }
  exchanges.push(exchange)
  const response =
    interfere(path, init) ??
    (await realFetch(origin + path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), cookie, origin },
    }))
  exchange.status = response.status
  return withCookieKept(response)
}

/** Stores the cookies of a response and hides them from the page, as a browser does. */
function withCookieKept(response: Response) {
  const lines = response.headers.getSetCookie()
  if (lines.length === 0) return response
  cookie = lines.map((line) => line.split(';', 1)[0]).join('; ')
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

// Node does not define navigator.onLine.
Object.defineProperty(navigator, 'onLine', { value: true, writable: true, configurable: true })
