import type { Db } from './database.ts'

/** Without each of them, what a client was told is done may be gone after a crash. */
const needed = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * Refuses a PostgreSQL that does not keep what it has acknowledged. Nothing else would show it: all
 * goes well until the power fails. Asked where the service's own statements run, since each role,
 * database and connection may have a setting of its own.
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
