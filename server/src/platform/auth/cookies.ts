// Names, reads and signs our cookies. Each cookie has only one name; with HTTPS the name begins with `__Host-`, so
// that neither another host nor plain HTTP can set the cookie.
import { createHmac, timingSafeEqual } from 'node:crypto'

export type CookieNames = ReturnType<typeof cookieNames>

export function cookieNames(publicUrl: string | undefined) {
  const isSecure = publicUrl?.startsWith('https://') ?? false
  const prefix = isSecure ? '__Host-daywright' : 'daywright'
  return {
    isSecure,
    session: `${prefix}.session_token`,
    /** Set beside a session that ends when the browser closes. */
    dontRemember: `${prefix}.dont_remember`,
    /** Kept after sign-out: marks a browser that has signed in before (`known-browser.ts`). */
    browser: `${prefix}.browser`,
  }
}

/** A cookie's raw value, or undefined if it is missing or longer than any of ours. */
export function readCookie(cookies: string | undefined, name: string) {
  for (const cookie of cookies?.split(';') ?? []) {
    const at = cookie.indexOf('=')
    if (at < 0 || cookie.slice(0, at).trim() !== name) continue
    const value = cookie.slice(at + 1).trim()
    return value.length <= 255 ? value : undefined
  }
  return undefined
}

/** A cookie value: the text and its HMAC, in Better Auth's format. */
export const signValue = (text: string, secret: string) =>
  encodeURIComponent(`${text}.${hmac(text, secret)}`)

/** The text of a signed value, if our secret signed it. */
export function textIn(value: string, secret: string) {
  const decoded = decode(value)
  const dot = decoded.lastIndexOf('.')
  const text = decoded.slice(0, Math.max(dot, 0))
  const expected = Buffer.from(hmac(text, secret))
  const actual = Buffer.from(decoded.slice(dot + 1))
  const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected)
  return text && isOurs ? text : undefined
}

const hmac = (text: string, secret: string) =>
  createHmac('sha256', secret).update(text).digest('base64')

function decode(value: string) {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
