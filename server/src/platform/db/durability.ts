import type { Db } from './database.ts'

/** Without any one of them, an acknowledged write may be lost in a crash. */
const needed = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * Refuses a PostgreSQL that may lose acknowledged writes, which would show only after a crash. Asked on
 * the service's own connection, since role, database and connection can each have their own setting.
 */
export async function requireDurable(db: Db) {
  const { rows } = await db.query<{ name: string }>(
    `select name from unnest('{${needed.join()}}'::text[]) name where current_setting(name) = 'off'`,
  )
  if (rows.length === 0) return
  const off = rows.map(({ name }) => `${name} is off`).join(', ')
  throw new Error(
    `This PostgreSQL loses data when it or its machine goes down: ${off}. Switch it on. ` +
      'Only where nothing has to last, as in tests, set UNSAFE_DATABASE=allow.',
  )
}
