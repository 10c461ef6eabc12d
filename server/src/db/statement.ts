// SQL, written as SQL. A statement is named and prepared once per connection, and PostgreSQL builds the
// JSON of the response, so rows are not parsed, mapped and serialized again.
import type { Db } from './database.ts'
import { asLimitReached } from './usage.ts'

/** JSON of the given shape, as the client reads it. Tests validate every response against it. */
export type Json<Shape> = string & { readonly of?: Shape }

/** All statements by name; tests prepare and explain each of them. */
export const statements = new Map<string, string>()

/** A statement that returns one row with the response in a column `json`. */
export function answering<Shape>(name: string, text: string) {
  const find = finding<Shape>(name, text)
  return async (db: Db, ...values: unknown[]) => (await find(db, ...values)) ?? never(name)
}

/** The same, for a record that may not exist. */
export function finding<Shape>(name: string, text: string) {
  const select = selecting<{ json: Json<Shape> }>(name, text)
  return async (db: Db, ...values: unknown[]) => (await select(db, ...values))[0]?.json
}

/** A statement whose rows the server itself uses. */
export function selecting<Row extends object>(name: string, text: string) {
  if (statements.has(name)) throw new Error(`Two statements are named ${name}`)
  // A statement that records a change takes the actor and the user's limits as further parameters.
  const added = (['actor', 'limits'] as const).filter((each) => text.includes(`$${each}`))
  const given = highestParameter(text)
  const whole = added.reduce(
    (part, each, index) => part.replaceAll(`$${each}`, `$${given + index + 1}`),
    text,
  )
  statements.set(name, whole)
  if (added.length === 0) {
    return async (db: Db, ...values: unknown[]) =>
      (await db.query<Row>({ name, text, values })).rows
  }
  const isLimited = added.includes('limits')
  return async (db: Db, ...values: unknown[]) => {
    for (const [index, each] of added.entries()) values[given + index] = db[each]
    if (!isLimited) return (await db.query<Row>({ name, text: whole, values })).rows
    try {
      return (await db.query<Row>({ name, text: whole, values })).rows
    } catch (error) {
      throw asLimitReached(error, db.limits)
    }
  }
}

const highestParameter = (text: string) =>
  Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))

/** A statement that deletes one record and returns a row for it; true if it existed. */
export function removing(name: string, text: string) {
  const remove = selecting(name, text)
  return async (db: Db, ...values: unknown[]) => (await remove(db, ...values)).length > 0
}

/** For an update's `set`: strictly later than before, even within a millisecond or after a lock wait. */
export const touched = `updated_at = greatest(current_timestamp, updated_at + interval '1 millisecond')`

/** The same where the statement joins and the column must be qualified. */
export const touchedOf = (row: string) => touched.replace(', updated_at', `, ${row}.updated_at`)

/**
 * For the CTE `old` of an update by JSON: false where the changes leave the row as it is, so it is not
 * written. Compared with the locked row, since the update's own snapshot may show an earlier one.
 */
export const differs = (json = '$3') =>
  `old is distinct from jsonb_populate_record(old, ${json}) as differs`

/** The row after such an update, from its CTEs: the written row, or the unchanged old one. */
export const asItIs = (row: string) =>
  `(select * from ${row} union all select * from old where not exists (select from ${row})) ${row}`

export type Fields = Record<string, string>

/** A JSON object in SQL from its fields: `object({ id: 'label.id' })`. */
export const object = (fields: Fields) =>
  `json_build_object(${Object.entries(fields)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join()})`

/** A timestamptz in the wire format. */
export const iso = (column: string) => `iso(${column})`

// Converting a whole row to JSON is faster and smaller than json_build_object.
const selectList = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join()

/** The JSON of one row, or null: `one({ id: 'space.id' }, 'from spaces space where …')`. */
export const one = (fields: Fields, from = '') =>
  `(select to_json(row) from (select ${selectList(fields)} ${from}) row)`

/** The same as jsonb, the stored format. */
export const oneAsJsonb = (fields: Fields, from = '') =>
  `(select to_jsonb(row) from (select ${selectList(fields)} ${from}) row)`

/** The JSON array of the rows in their order; `[]` where there are none. */
export const many = (fields: Fields, from: string) =>
  `(select coalesce(json_agg(row), '[]') from (select ${selectList(fields)} ${from}) row)`

/** A sorted JSON array of ids: `ids('label_id', 'from task_labels where …')`. */
export const ids = (column: string, from: string) =>
  `(select coalesce(json_agg(${column} order by ${column}), '[]') ${from})`

/** Changes as JSON keyed by column: `dueAt` goes to `due_at`. */
export const columns = (changes: object) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [snake(name), value])),
  )

/** `dueAt` is the column `due_at`. */
export const snake = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Throws: a statement that always returns a row returned none. */
export function never(name: string): never {
  throw new Error(`${name} gave no row`)
}
