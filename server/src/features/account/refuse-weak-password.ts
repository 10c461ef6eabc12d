import { readFileSync } from 'node:fs'
import { invalid } from '../../platform/errors.ts'

/** The 10,000 most common passwords that are long enough, in lower case (docs/decisions/0021). */
const common = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split(/\s+/),
)

type Person = { email: string; name?: string | undefined }

/** Why a password is easy to guess, or undefined. */
export function weaknessOf(password: string, { email, name = '' }: Person) {
  const given = password.normalize('NFKC').toLowerCase()
  if (common.has(given)) return 'This is one of the 10,000 most common passwords: choose another'
  const own = [email, email.split('@', 1)[0] ?? '', name, 'daywright']
  const letters = lettersOf(given)
  const isOwn = own.some(
    (word) => given === word.toLowerCase() || (letters !== '' && letters === lettersOf(word)),
  )
  return isOwn
    ? 'This password is your e-mail address, your name or the name of the service: choose another'
    : undefined
}

export function refuseWeakPassword(field: string, password: string, person: Person) {
  const weakness = weaknessOf(password, person)
  if (weakness) throw invalid({ [field]: [weakness] })
}

/** A name with added digits or symbols is still easy to guess. */
const lettersOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')
