// Two people who know nothing of each other, the service, and what the model says of both.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { newId } from '../../../server/src/db/new-id.ts'
import type { Request } from './call.ts'
import type { Client } from './client.ts'
import { belongings } from './belongings.ts'
import { countRows } from './count-rows.ts'
import { type Followed, followedFrom } from './follow.ts'
import type { Kind, Rows, Settings } from './model.ts'
import { password } from './password.ts'
import { settle } from './settle.ts'

export const secret = 'proof-proof-proof-proof-proof-proof'

const defaults: Settings = {
  automatic: false,
  quietHours: null,
  dailyRunAt: '05:00',
  morningSummaryAt: null,
  deadlineAlerts: false,
}

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
  settings: Settings
  /** What they began with, of which no event tells. */
  uncounted: ReturnType<typeof countRows>
  /** Told by their events alone. */
  followed: Followed
}

export type World = {
  client: Client
  db: pg.Pool
  people: [Person, Person]
  /** The moment from which times are counted. */
  began: number
  /** How often each operation was answered with each status. */
  called: Map<string, Map<number, number>>
  /** Whether enough is known. */
  isOver: () => boolean
  /** How many steps were taken in it. */
  taken: number
  /** Jobs that were given up, and for whom. */
  jobs: Map<string, string>
}

/** What the service stores and shows of a token. */
export const hashOf = ({ token }: Session) => createHash('sha256').update(token).digest('hex')

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
  const people: [Person, Person] = [newPerson('ada', true, began), newPerson('grace', false, began)]
  await settle(db, people)
  return { client, db, people, began, called, isOver, taken: 0, jobs: new Map() }
}

function newPerson(name: string, isAdmin: boolean, began: number): Person {
  const id = newId()
  const { rows, keys } = belongings(id, began)
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
    began: keys,
    revoked: [],
    sessions: [{ id: newId(), token: randomBytes(24).toString('base64url') }],
    answered: new Map(),
    repeatable: [],
    runs: 0,
    settings: { ...defaults },
    followed: followedFrom({ id, rows }),
    uncounted: countRows(rows),
  }
}

export function forget(person: Person, kind: Kind, id: string) {
  person.rows[kind].delete(id)
  person.gone.push(id)
}
