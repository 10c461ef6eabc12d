const anywhere = 'https://daywright.invalid'

/** Where to go after sign-in: a path of this app only, since `next` comes from the address bar. */
export function nextPath(next: unknown) {
  const url = typeof next === 'string' && next.startsWith('/') ? URL.parse(next, anywhere) : null
  if (url?.origin !== anywhere || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}
