import type { ClientBase } from 'pg'

/** Every table in a backup, by its full name: without migrations and sessions. */
export async function tablesOf(client: ClientBase) {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name
       from information_schema.tables
      where table_schema in ('public', 'auth') and table_type = 'BASE TABLE'
        and table_name <> 'migrations' and (table_schema, table_name) <> ('auth', 'sessions')
      order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Columns that a backup omits, because they would grant access. */
export const leftOut: Record<string, string[]> = { 'auth.instance': ['secret'] }
