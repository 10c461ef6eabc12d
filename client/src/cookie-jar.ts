/**
 * Keeps a session outside a browser, where `fetch` stores no cookies. A browser keeps its own and hides
 * `set-cookie`: there the jar stays empty.
 */
export function cookieJar(cookie: string | undefined) {
  const cookies = new Map<string, string>()
  for (const pair of cookie?.split('; ') ?? []) put(pair)

  function put(pair: string) {
    const [name = '', ...value] = pair.split('=')
    if (value.join('=') === '') cookies.delete(name)
    else cookies.set(name, value.join('='))
  }

  return {
    header: () => [...cookies].map((pair) => pair.join('=')).join('; '),
    /** Stores the cookies of a response. An empty cookie means that the session was deleted. */
    keep(response: Response) {
      for (const line of response.headers.getSetCookie()) put(line.split(';', 1)[0] ?? '')
    },
  }
}
