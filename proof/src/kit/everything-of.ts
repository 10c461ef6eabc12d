import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A fingerprint of every row of the user, in all tables. */
export async function everythingOf(db: pg.Pool | pg.Client, userId: string) {
  const { rows: tables } = await db.query<{ name: string; key: string }>(
    `select table_schema || '.' || table_name as name, column_name as key
       from information_schema.columns
      where (column_name = 'user_id' and table_schema in ('public', 'auth'))
         or (column_name = 'id' and table_name = 'users')
      order by 1`,
  )
  const texts = tables.map(
    ({ name, key }) =>
      `select '${name}' as name, row::text as row from ${name} row where ${key} = $1`,
  )
  const { rows } = await db.query<{ name: string; row: string }>(
    `${texts.join(' union all ')} order by 1, 2`,
    [userId],
  )
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex')
}
