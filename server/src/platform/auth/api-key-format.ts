// dwk_<user id>_<32 random bytes><checksum>: recognisable if it leaks, a malformed one is refused without a
// query, and it is looked up among its user's own rows. The tokens of feeds have the same form and begin with dwf_.
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const forms = {
  dwk: /^dwk_([\w-]{22})_[\w-]{43}([0-9a-f]{8})$/,
  dwf: /^dwf_([\w-]{22})_[\w-]{43}([0-9a-f]{8})$/,
}
type Kind = keyof typeof forms

export const newKey = (userId: string) => newToken('dwk', userId)
export const newFeedToken = (userId: string) => newToken('dwf', userId)

function newToken(kind: Kind, userId: string) {
  const user = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
  const body = `${kind}_${user}_${randomBytes(32).toString('base64url')}`
  const key = body + checksum(body)
  return { key, prefix: key.slice(0, 33), hash: hashOf(key) }
}

/** The user and the hash to look up, or undefined if it cannot be one of our keys. */
export const readKey = (key: string) => readToken('dwk', key)
export const readFeedToken = (token: string) => readToken('dwf', token)

function readToken(kind: Kind, key: string) {
  const [, user, sum] = forms[kind].exec(key) ?? []
  if (!user || checksum(key.slice(0, -8)) !== sum) return undefined
  const hex = Buffer.from(user, 'base64url').toString('hex')
  const userId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { userId, hash: hashOf(key) }
}

const hashOf = (key: string) => createHash('sha256').update(key).digest()
const checksum = (body: string) => crc32(body).toString(16).padStart(8, '0')
