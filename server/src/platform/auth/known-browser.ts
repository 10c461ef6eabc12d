// A device cookie for browsers that have signed in to an account. They have their own allowance of wrong
// passwords, so that a stranger who uses up the account's does not lock them out (OWASP, "Slow down online
// guessing attacks with device cookies"). The cookie alone grants no access.
import { randomBytes } from 'node:crypto'
import { type CookieNames, readCookie, signValue, textIn } from './cookies.ts'

const aYearSeconds = 365 * 86_400

const purpose = (secret: string, email: string) => `${secret} browser ${email.toLowerCase()}`

/** The browser's random id, if it has signed in to this account before. */
export function knownBrowser(
  cookies: string | undefined,
  names: CookieNames,
  secret: string,
  email: string,
) {
  const value = readCookie(cookies, names.browser)
  return value === undefined ? undefined : textIn(value, purpose(secret, email))
}

export function browserCookie(names: CookieNames, secret: string, email: string) {
  const id = randomBytes(16).toString('base64url')
  const secure = names.isSecure ? '; Secure' : ''
  return `${names.browser}=${signValue(id, purpose(secret, email))}; Max-Age=${aYearSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
}
