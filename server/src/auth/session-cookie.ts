// Better Auth's session cookie, read by ourselves: asking Better Auth on every request would cost
// nine tenths of the throughput. Its value is the token and an HMAC of it.
import { createHmac, timingSafeEqual } from 'node:crypto'

export const cookiePrefix = 'daywright'
const name = /^(?:__Secure-)?daywright\.session_token$/

/** The session cookie's value, or undefined if it is not there or too long to be one. */
export function sessionCookie(cookies: string) {
  const value = cookies
    .split(';')
    .map((cookie) => cookie.split('='))
    .find(([key = '']) => name.test(key.trim()))
    ?.slice(1)
    .join('=')
    .trim()
  return value !== undefined && value.length <= 255 ? value : undefined
}

/** The token in it, if it is signed with our secret. */
export function tokenIn(cookie: string, secret: string) {
  const signed = decoded(cookie)
  const dot = signed.lastIndexOf('.')
  const token = signed.slice(0, Math.max(dot, 0))
  const expected = Buffer.from(createHmac('sha256', secret).update(token).digest('base64'))
  const actual = Buffer.from(signed.slice(dot + 1))
  const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected)
  return token && isOurs ? token : undefined
}

function decoded(value: string) {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
