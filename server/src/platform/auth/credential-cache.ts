// The credential cache: a credential is looked up by one indexed read and cached for less than a second, so
// that a revoked key or session stops working within a second in every process.
import type { Scope } from '@daywright/contract'
import type { Database } from '../db/database.ts'
import { bytes, raw, sql, text, timestamp, userId, uuid } from '../db/sql.ts'
import { execute, queryRows } from '../db/statement.ts'
import { readKey } from './api-key-format.ts'
import { type CookieNames, readCookie, textIn } from './cookies.ts'
import { hashToken } from './session-token.ts'
import { longestDays } from './sessions.queries.ts'

/** `scopes` is absent for a session, which may do everything. */
export type Caller = { userId: string; isAdmin: boolean; scopes?: Scope[]; keyId?: string }

type Expiring = Caller & { expiresAt: number }
type Memory = { askedAt: number; answer: Promise<Expiring | undefined>; found?: Expiring }

const freshMs = 900
const rememberedAtMost = 20_000
/** The precision of `lastUsedAt`: most requests are reads, and this would add a write to each. */
const usedEveryMs = 3_600_000

const keyOwner = queryRows<{
  id: string
  scopes: Scope[]
  expires_at: Date | null
  last_used_at: Date | null
  is_admin: boolean
}>()(
  'auth.key-owner',
  sql`
  select key.id, key.scopes, key.expires_at, key.last_used_at, person.role = 'admin' as is_admin
    from api_keys key
    join users person on person.id = ${userId}
   where key.user_id = ${userId} and key.hash = ${bytes('hash')} and person.disabled_at is null`,
)

const keyUsed = execute(
  'auth.key-used',
  sql`update api_keys set last_used_at = ${timestamp('now')} where user_id = ${userId} and id = ${uuid('id')}`,
)

/** The only lookup without a user id: it finds the user. */
const sessionOwner = queryRows<{
  user_id: string
  expires_at: Date
  is_admin: boolean | null
  disabled: boolean
}>()(
  'auth.session-owner',
  sql`
  select session.user_id,
         least(session.expires_at, session.created_at + ${raw(longestDays)} * interval '1 day') as expires_at,
         person.role = 'admin' as is_admin,
         person.disabled_at is not null as disabled
    from auth.sessions session
    left join users person on person.id = session.user_id
   where session.token = ${text('token')}`,
)

export type CredentialCache = ReturnType<typeof createCredentialCache>

export type CredentialCacheSettings = {
  secret: () => Promise<string>
  names: CookieNames
  /** Creates the profile of an account that has none yet. */
  ensureProfile: (userId: string) => Promise<unknown>
}

export function createCredentialCache(
  db: Database,
  { secret, names, ensureProfile }: CredentialCacheSettings,
) {
  // Keys and cookies are prefixed, so that a cached key is never taken for a cookie or vice versa.
  const memories = new Map<string, Memory>()
  const ofKey = (text: string) => `key ${text}`
  const ofSession = (cookie: string) => `session ${cookie}`

  function recall(credential: string, now: number, ask: () => Promise<Expiring | undefined>) {
    const known = memories.get(credential)
    if (known && now - known.askedAt < freshMs) {
      if (!known.found) return known.answer
      return known.found.expiresAt > now ? known.found : Promise.resolve(undefined)
    }
    forgetStale(now)
    if (memories.size >= rememberedAtMost) memories.clear()
    const memory: Memory = {
      askedAt: now,
      answer: ask().then((found) => {
        if (!found || found.expiresAt <= now) return undefined
        memory.found = found
        return found
      }),
    }
    memory.answer.catch(() => memories.delete(credential))
    memories.delete(credential) // so that it is inserted last again
    memories.set(credential, memory)
    return memory.answer
  }

  /** Deletes stale entries. Entries are in the order of their lookup, so the loop ends at the first fresh one. */
  function forgetStale(now: number) {
    for (const [credential, { askedAt }] of memories) {
      if (now - askedAt < freshMs) return
      memories.delete(credential)
    }
  }

  async function askKey(key: { userId: string; hash: Buffer }, now: number, visitor: string) {
    // Invented keys have to be looked up as well; the lookup is charged to the client's address.
    const asked = db.as({ kind: 'system' }, { key: visitor })
    const [row] = await keyOwner(asked, key)
    if (!row) return undefined
    if (now - (row.last_used_at?.getTime() ?? 0) >= usedEveryMs) {
      // Not awaited, and a failure does no harm: the next use writes it.
      keyUsed(db, { userId: key.userId, id: row.id, now: new Date(now) }).catch(() => {})
    }
    return {
      userId: key.userId,
      isAdmin: row.is_admin,
      scopes: row.scopes,
      keyId: row.id,
      expiresAt: row.expires_at?.getTime() ?? Infinity,
    }
  }

  async function askSession(cookie: string) {
    const token = textIn(cookie, await secret())
    const [row] = token ? await sessionOwner(db, { token: hashToken(token) }) : []
    if (!row || row.disabled) return undefined
    if (row.is_admin === null) await ensureProfile(row.user_id)
    return {
      userId: row.user_id,
      isAdmin: row.is_admin ?? false,
      expiresAt: row.expires_at.getTime(),
    }
  }

  return {
    /** The caller at once if cached; otherwise a promise. */
    byKey(text: string, now: Date, visitor = ''): Caller | Promise<Caller | undefined> {
      const time = now.getTime()
      const known = memories.get(ofKey(text))
      if (known?.found && time - known.askedAt < freshMs && known.found.expiresAt > time) {
        return known.found
      }
      const key = readKey(text)
      if (!key) return Promise.resolve(undefined)
      return recall(ofKey(text), time, () => askKey(key, time, visitor))
    },
    bySession(cookies: string, now: Date): Caller | Promise<Caller | undefined> {
      const cookie = readCookie(cookies, names.session)
      if (cookie === undefined) return Promise.resolve(undefined)
      return recall(ofSession(cookie), now.getTime(), () => askSession(cookie))
    },
    /** Drops a user's entries from this process's cache: the next request looks them up again. */
    forget(userId: string) {
      for (const [credential, { found }] of memories) {
        if (!found || found.userId === userId) memories.delete(credential)
      }
    },
  }
}
