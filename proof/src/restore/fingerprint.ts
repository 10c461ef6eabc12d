import type pg from 'pg'

/** Queries that leave out what a restore changes: it renumbers each event stream, and adds an event. */
const rowsOf: Record<string, string> = {
  'public.user_state': `select to_jsonb(user_state) - 'last_event' from user_state
                      where exists (select from events where user_id = user_state.user_id
                                       and type <> 'account.restored')`,
  'public.events': `select * from events where type <> 'account.restored'`,
}

/** Fingerprints of the data and the schema by name, without the queue, which is created again. */
export async function fingerprint(db: pg.Pool) {
  const found: Record<string, string> = {}
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'auth')`,
  )
  for (const { name } of tables) {
    if (name === 'auth.sessions') continue // not in a backup
    const shown = name === 'auth.instance' ? "to_jsonb(t) - 'secret'" : 't'
    const { rows } = await db.query<{ print: string }>(
      `select count(*) || ' rows, ' || md5(coalesce(string_agg(md5((${shown})::text), '' order by md5((${shown})::text)), '')) as print
         from (${rowsOf[name] ?? `select * from ${name}`}) t`,
    )
    found[name] = rows[0]?.print ?? ''
  }
  const { rows: rules } = await db.query<{ name: string; rule: string }>(
    `select conrelid::regclass || ' ' || conname as name, pg_get_constraintdef(oid) as rule
       from pg_constraint where connamespace::regnamespace::text in ('public', 'auth')
      union all
     select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
      where indrelid in (select oid from pg_class where relnamespace::regnamespace::text in ('public', 'auth'))`,
  )
  for (const { name, rule } of rules) found[name] = rule
  return found
}

export function differences(one: Record<string, string>, other: Record<string, string>) {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => one[name] !== other[name])
    .map((name) => `${name} was ${one[name] ?? 'not there'}, is ${other[name] ?? 'not there'}`)
}
