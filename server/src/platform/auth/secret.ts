import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { execute, queryRows } from '../db/statement.ts'

export type Secrets = {
  /** Signs sessions, and encrypts. */
  current: () => Promise<string>
  /** Those that only decrypt, until everything is encrypted with the current one. */
  former: () => Promise<string[]>
}

type Given = { AUTH_SECRET?: string | undefined; AUTH_SECRET_PREVIOUS?: string[] | undefined }

const stored = queryRows<{ secret: string }>()('auth.secret', sql`select secret from auth.instance`)

/** The operator's secrets, and the instance's own: it is the current one unless the operator gives another. */
export function instanceSecrets(
  db: Database,
  { AUTH_SECRET: given, AUTH_SECRET_PREVIOUS: previous = [] }: Given = {},
): Secrets {
  let known: Promise<string> | undefined
  function own() {
    known ??= stored(db).then(([row]) => row?.secret ?? Promise.reject(new Error('No secret')))
    known.catch(() => (known = undefined)) // the database was unreachable: read it again next time
    return known
  }
  if (given === undefined) return { current: own, former: async () => previous }
  return { current: async () => given, former: async () => [...previous, await own()] }
}

const replace = execute('auth.replace-secret', sql`update auth.instance set secret = default`)

/** Gives the instance a new secret of its own: what the old one has encrypted can no longer be read with it. */
export const replaceOwnSecret = (db: Database) => replace(db)
