// Inserts the users of a world into the database with their initial data, in one statement.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { newId } from '../../../server/src/platform/db/new-id.ts'
import { passwordHash } from './password.ts'
import { rowsOf, tables } from './rows.ts'
import type { Person } from './world.ts'

/** All columns except the hash, which PostgreSQL computes. */
const ofDocuments =
  'user_id, id, space_id, project_id, title, content, url, doc_type, sort_order, created_at, updated_at'

const text = `
    with given as (
      select * from jsonb_to_recordset($2::jsonb)
        as given (id uuid, email text, role text, account uuid, session uuid, token text)
    ), signed_up as (
      insert into auth.users (id, name, email, role) select id, 'Someone', email, role from given
    ), accounts as (
      insert into auth.accounts (id, user_id, account_id, provider_id, password)
      select account, id, id::text, 'credential', $3 from given
    ), ${Object.keys(tables)
      .map(
        (table) => `new_${table} as (
      insert into ${table} ${table === 'documents' ? `(${ofDocuments})` : ''}
      select ${table === 'documents' ? ofDocuments : '*'}
        from jsonb_populate_recordset(null::${table}, $1::jsonb -> '${table}')
    )`,
      )
      .join(', ')}
    insert into auth.sessions (id, token, user_id, expires_at)
    select session, encode(sha256(token::bytea), 'hex'), id, current_timestamp + interval '30 days' from given`

export async function settle(db: pg.Pool, people: Person[]) {
  const all = people.map(asStored)
  const rows = Object.fromEntries(
    Object.keys(tables).map((table) => [table, all.flatMap((each) => each[table] ?? [])]),
  )
  const accounts = people.map(({ id, email, isAdmin, sessions: [session] }) => ({
    id,
    email,
    role: isAdmin ? 'admin' : 'user',
    account: newId(),
    session: session?.id,
    token: session?.token,
  }))
  const values = [stored(rows), JSON.stringify(accounts), await passwordHash]
  await db.query({ name: 'settle', text, values })
}

/** Fills in values that the model leaves open. */
function asStored(person: Person): Record<string, unknown[]> {
  const rows = rowsOf(person)
  const at = new Date().toISOString()
  return {
    ...rows,
    users: rows.users.map((row) => ({ ...(row as object), created_at: at, updated_at: at })),
    api_keys: rows.api_keys.map((row) => {
      const { text = '' } = person.rows.keys.get((row as { id: string }).id) ?? {}
      const hash = createHash('sha256').update(text).digest('hex')
      return { ...(row as object), hash: `\\x${hash}` }
    }),
  }
}

const stored = (rows: object) =>
  JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && 'earliest' in value
      ? new Date(Number(value.earliest)).toISOString()
      : value,
  )
