import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { queryRows } from '../db/statement.ts'

const stored = queryRows<{ secret: string }>()('auth.secret', sql`select secret from auth.instance`)

/** The secret that signs sessions: the operator's, or the instance's own. */
export function instanceSecret(db: Database, given: string | undefined) {
  let known: Promise<string> | undefined = given === undefined ? undefined : Promise.resolve(given)
  return () => {
    known ??= stored(db).then(([row]) => row?.secret ?? Promise.reject(new Error('No secret')))
    known.catch(() => (known = undefined)) // the database was unreachable: read it again next time
    return known
  }
}
