import type { Db } from './database.ts'
import { sql, userId } from './sql.ts'
import { execute } from './statement.ts'

const lock = execute('users.lock', sql`select id from users where id = ${userId} for no key update`)

/**
 * Serializes operations of one user within a transaction. A row lock works on every node of a cluster, and
 * this mode does not block foreign key checks.
 */
export const lockUser = (db: Db, userId: string) => lock(db, { userId })
