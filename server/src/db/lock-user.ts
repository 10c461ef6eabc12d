import type { Db } from './database.ts'
import { selecting } from './statement.ts'

const lock = selecting<{ id: string }>(
  'users.lock',
  'select id from users where id = $1 for no key update',
)

/**
 * Within a transaction: what a user may do only once at a time waits here for what they are doing.
 * A row lock, since it holds on every node of a cluster; it does not disturb foreign keys' checks.
 */
export const lockUser = (db: Db, userId: string) => lock(db, userId)
