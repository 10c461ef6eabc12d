// Two independent users, the service, and the model of both.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { newId } from '../../../server/src/platform/db/new-id.ts'
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
  missedBlocks: 'reschedule',
  assumedMinutes: null,
  schedulePreferenceId: null,
  planning: {
    lunch: null,
    breaks: null,
    dailyLimitMinutes: null,
    keepFreePercent: 0,
    bufferMinutes: 0,
    focusHours: null,
    deepWorkUntil: null,
  },
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
  areJobsStopped: boolean
  password: string
  rows: Rows
  /** Ids of deleted records. */
  gone: string[]
  /** The initial keys, by scope. */
  began: Record<'key' | 'read' | 'write' | 'planner', string>
  /** Revoked keys. */
  revoked: string[]
  sessions: Session[]
  /** The stored answers, by Idempotency-Key. */
  answered: Map<string, Answered>
  /** The requests that were made with these keys. */
  repeatable: { key: string; request: Request }[]
  runs: number
  settings: Settings
  /** The parts of `settings.planning` that were ever sent; the others have their defaults. */
  planning: Record<string, unknown>
  /** The counts of the initial data, which the service did not count. */
  uncounted: ReturnType<typeof countRows>
  /** The state derived from events alone. */
  followed: Followed
}

export type World = {
  client: Client
  db: pg.Pool
  people: [Person, Person]
  /** The time that other times are relative to. */
  began: number
  /** How often each operation was answered with each status. */
  called: Map<string, Map<number, number>>
  /** Whether the run can end. */
  isOver: () => boolean
  /** How many steps were taken in this world. */
  taken: number
  /** The keys of parked jobs, by the id of the job. */
  jobs: Map<string, string>
}

/** The hash of a token, as stored and shown by the service. */
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
    areJobsStopped: false,
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
    planning: {},
    followed: followedFrom({ id, rows }),
    uncounted: countRows(rows),
  }
}

export function forget(person: Person, kind: Kind, id: string) {
  person.rows[kind].delete(id)
  person.gone.push(id)
}
