import type { ClientBase } from 'pg'

/** Every table of ours but the list of migrations, by its full name. */
export async function tablesOf(client: ClientBase) {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name
       from information_schema.tables
      where table_schema in ('public', 'auth') and table_type = 'BASE TABLE'
        and table_name <> 'migrations'
      order by 1`,
  )
  return rows.map(({ name }) => name)
}
