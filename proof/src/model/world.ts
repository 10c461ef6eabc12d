// Two people who know nothing of each other, the service, and what the model says of both.
import { createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { newKey } from '../../../server/src/auth/key-format.ts'
import { newId } from '../../../server/src/db/new-id.ts'
import type { Request } from './call.ts'
import type { Client } from './client.ts'
import { between } from './compare.ts'
import { type Kind, noRows, type Rows } from './model.ts'
import { password, passwordHash } from './password.ts'

export const secret = 'proof-proof-proof-proof-proof-proof'

export type Session = { id: string; token: string }
export type Answered = { asked: string; status: number; text: string }

export type Person = {
  name: string
  id: string
  email: string
  displayName: string
  timezone: string
  isAdmin: boolean
  isDisabled: boolean
  password: string
  rows: Rows
  /** Ids that were someone's once. */
  gone: string[]
  /** The keys they began with, by what these may do. */
  began: Record<'key' | 'read' | 'write' | 'planner', string>
  /** Of keys that were revoked. */
  revoked: string[]
  sessions: Session[]
  /** By Idempotency-Key. */
  answered: Map<string, Answered>
  /** What was asked under them. */
  repeatable: { key: string; request: Request }[]
  runs: number
}

export type World = {
  client: Client
  db: pg.Pool
  people: [Person, Person]
  /** The moment from which times are counted. */
  began: number
  /** How often each operation was called, and how often with success. */
  called: Map<string, [calls: number, successes: number]>
  /** Whether enough is known. */
  isOver: () => boolean
  /** How many steps were taken in it. */
  taken: number
}

export const cookieOf = ({ token }: Session) => {
  const mark = createHmac('sha256', secret).update(token).digest('base64')
  return `daywright.session_token=${encodeURIComponent(`${token}.${mark}`)}`
}

export async function newWorld(
  client: Client,
  db: pg.Pool,
  called: World['called'],
  isOver: World['isOver'],
): Promise<World> {
  const began = Date.now()
  const people: [Person, Person] = [newPerson('ada', true), newPerson('grace', false)]
  await settle(db, people)
  const ended = Date.now()
  for (const { rows } of people) {
    for (const row of [...rows.spaces.values(), ...rows.keys.values()]) {
      row.createdAt = between(began - 1, ended + 1)
      if ('updatedAt' in row) row.updatedAt = row.createdAt
    }
  }
  return { client, db, people, began, called, isOver, taken: 0 }
}

function newPerson(name: string, isAdmin: boolean): Person {
  const id = newId()
  const rows = noRows()
  const unknown = between(0, 0)
  const spaceId = newId()
  rows.spaces.set(spaceId, {
    id: spaceId,
    name: 'Personal',
    color: '#6B7280',
    icon: 'folder',
    isDefault: true,
    sortOrder: 0,
    createdAt: unknown,
    updatedAt: unknown,
  })
  const keyFor = (scopes: string[]) => {
    const { key, prefix } = newKey(id)
    const keyId = newId()
    rows.keys.set(keyId, {
      id: keyId,
      name: 'proof',
      text: key,
      prefix,
      scopes,
      expiresAt: null,
      createdAt: unknown,
    })
    return key
  }
  return {
    name,
    id,
    email: `${id}@example.com`,
    displayName: 'Someone',
    timezone: 'UTC',
    isAdmin,
    isDisabled: false,
    password,
    rows,
    gone: [],
    began: {
      key: keyFor(['read', 'write', 'planner']),
      read: keyFor(['read']),
      write: keyFor(['write']),
      planner: keyFor(['planner']),
    },
    revoked: [],
    sessions: [{ id: newId(), token: randomBytes(24).toString('base64url') }],
    answered: new Map(),
    repeatable: [],
    runs: 0,
  }
}

/** Both at once, without the slow hash of a password: it is the same for all. */
async function settle(db: pg.Pool, people: Person[]) {
  const rows = people.map((person) => ({
    id: person.id,
    email: person.email,
    role: person.isAdmin ? 'admin' : 'user',
    space: [...person.rows.spaces.keys()][0],
    account: newId(),
    session: person.sessions[0],
    keys: [...person.rows.keys.values()].map(({ id, text, prefix, scopes }) => ({
      id,
      text,
      prefix,
      scopes,
    })),
  }))
  await db.query({
    name: 'settle',
    text: `
    with given as (
      select * from jsonb_to_recordset($1::jsonb)
        as given (id uuid, email text, role text, space uuid, account uuid, session jsonb, keys jsonb)
    ), signed_up as (
      insert into auth.users (id, name, email, role) select id, 'Someone', email, role from given
      returning id
    ), accounts as (
      insert into auth.accounts (id, user_id, account_id, provider_id, password)
      select account, id, id::text, 'credential', $2 from given
    ), sessions as (
      insert into auth.sessions (id, token, user_id, expires_at)
      select (session ->> 'id')::uuid, session ->> 'token', id, current_timestamp + interval '30 days'
        from given
    ), profiles as (
      insert into users (id, email, display_name, role)
      select id, email, 'Someone', role::user_role from given
    ), spaces as (
      insert into spaces (user_id, id, name, is_default) select id, space, 'Personal', true from given
    )
    insert into api_keys (user_id, id, name, prefix, hash, scopes)
    select given.id, key.id, 'proof', key.prefix, sha256(key.text::bytea), key.scopes
      from given, jsonb_to_recordset(given.keys) as key (id uuid, text text, prefix text, scopes text[])`,
    values: [JSON.stringify(rows), await passwordHash],
  })
}

export function forget(person: Person, kind: Kind, id: string) {
  person.rows[kind].delete(id)
  person.gone.push(id)
}
