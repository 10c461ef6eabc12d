import type { Db } from './database.ts'

/** If any one of these settings is off, an acknowledged write may be lost in a crash. */
const needed = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * Refuses a PostgreSQL that may lose acknowledged writes, which would show only after a crash. Reads the settings
 * on the service's own connection, since role, database and connection can each have their own.
 */
export async function requireDurable(db: Db) {
  const { rows } = await db.query<{ name: string }>(
    `select name from unnest('{${needed.join()}}'::text[]) name where current_setting(name) = 'off'`,
  )
  if (rows.length === 0) return
  const off = rows.map(({ name }) => `${name} is off`).join(', ')
  throw new Error(
    `This PostgreSQL may lose data if it or its machine crashes: ${off}. Switch it on. ` +
      'Only if no data has to be kept, as in tests, set UNSAFE_DATABASE=allow.',
  )
}
