import type { Db } from './database.ts'
import { selecting } from './statement.ts'

const lock = selecting<{ id: string }>(
  'users.lock',
  'select id from users where id = $1 for no key update',
)

/**
 * Serializes operations of one user within a transaction. A row lock works on every node of a cluster, and
 * this mode does not block foreign key checks.
 */
export const lockUser = (db: Db, userId: string) => lock(db, userId)
