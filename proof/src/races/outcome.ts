// The outcome of some requests in a comparable form: the responses and all rows of the user, without what
// differs by nature (times, random ids).
import type pg from 'pg'
import type { Answer } from './world.ts'

const tables = [
  'api_keys',
  'feeds',
  'spaces',
  'projects',
  'schedule_preferences',
  'tasks',
  'labels',
  'task_labels',
  'checklist_items',
  'documents',
  'task_documents',
  'task_dependencies',
  'time_blocks',
  'recurrences',
  'occurrences',
  'notifications',
  'idempotency_keys',
  'planner_runs',
]

// PostgreSQL's clock, and values derived from random ids.
const differing = /^(created_?at|updated_?at|last_?used_?at|inputHash|input_hash|key|prefix|hash)$/i
const unread = `'{input,plan,detail,input_hash,fingerprint,hash,prefix,last_used_at,last_read_at,thread}'::text[]`

const everything = [
  `select 'users' as place, 1 as rank, to_jsonb(it) as record from users it where id = $1`,
  ...tables.map(
    (table, rank) =>
      `select '${table}', ${rank + 2}, to_jsonb(it) - ${unread} from ${table} it where user_id = $1`,
  ),
].join(' union all ')

type Row = { place: string; record: { id?: string; key?: string; created_at?: string } }

/** All rows of a user, each table in order of creation. */
export async function readRows(observer: pg.Client, userId: string) {
  const { rows } = await observer.query<Row>({
    name: 'belongings',
    text: `select place, record from (${everything}) all_of_it
            order by rank, record ->> 'created_at'`,
    values: [userId],
  })
  return rows.filter(({ record }) => !record.key?.startsWith('race-'))
}

/**
 * One text for an outcome, equal for equal outcomes. Existing records are named by their order of creation,
 * new ones by the first answer that mentions them.
 */
export function outcome(before: Row[], answers: Answer[], after: Row[]) {
  const names = new Map<string, string>()
  for (const [place, rows] of Map.groupBy(before, (row) => row.place)) nameOld(place, rows)
  const told = answers.map((answer) => JSON.stringify(plain(answer)))
  for (const text of told) nameNew(text)
  // Rows that no answer mentions are sorted without their ids, and then named in that order.
  const rows = after
    .map(({ place, record }) => `${place} ${JSON.stringify(plain(record))}`)
    .toSorted((one, other) => compare(maskIds(one), maskIds(other)))
  for (const row of rows) nameNew(row)
  return {
    answers: told.map(nameIds),
    rows: rows.map(nameIds).toSorted(compare),
  }

  function nameOld(place: string, rows: Row[]) {
    // Rows created at the same time, such as the blocks of a plan, are sorted by their content.
    const told = rows.map(({ record }, number) => {
      const { id, created_at: moment } = record
      return { id, text: `${moment ?? number} ${maskIds(JSON.stringify(plain(record)))}` }
    })
    told.sort((one, other) => compare(one.text, other.text))
    for (const [number, { id }] of told.entries()) {
      if (id) names.set(id, `${place}-${number + 1}`)
    }
  }
  function nameNew(text: string) {
    for (const [id] of text.matchAll(uuid)) {
      if (!names.has(id)) names.set(id, `new-${names.size}`)
    }
  }
  function nameIds(text: string) {
    return text.replaceAll(uuid, (id) => names.get(id) ?? id)
  }
  function maskIds(text: string) {
    return text.replaceAll(uuid, (id) => names.get(id) ?? '?')
  }
}

export type Outcome = ReturnType<typeof outcome>

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** The value without fields that differ in every run. A stored response is parsed. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, held]) => held !== undefined && !differing.test(name))
      .map(([name, held]) => [name, name === 'body' ? plain(read(held)) : plain(held)]),
  )
}

function read(held: unknown): unknown {
  try {
    return typeof held === 'string' ? JSON.parse(held) : held
  } catch {
    return held // a notification's body is plain text
  }
}
