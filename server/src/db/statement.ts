// SQL, written as SQL. A statement is named and prepared once per connection, and PostgreSQL itself
// builds the JSON of the answer: no row is parsed, mapped and stringified again on its way out.
import type { Db } from './database.ts'
import { asLimitReached } from './usage.ts'

/** JSON of the given shape, as the client will read it. In tests every answer is held to it. */
export type Json<Shape> = string & { readonly of?: Shape }

/** Every statement of the service, by name: a test prepares and explains each of them. */
export const statements = new Map<string, string>()

/** A statement whose single row is the answer, in a column `json`. */
export function answering<Shape>(name: string, text: string) {
  const find = finding<Shape>(name, text)
  return async (db: Db, ...values: unknown[]) => (await find(db, ...values)) ?? never(name)
}

/** The same, for a record that may not be there. */
export function finding<Shape>(name: string, text: string) {
  const select = selecting<{ json: Json<Shape> }>(name, text)
  return async (db: Db, ...values: unknown[]) => (await select(db, ...values))[0]?.json
}

/** A statement whose rows the server itself goes on to use. */
export function selecting<Row extends object>(name: string, text: string) {
  if (statements.has(name)) throw new Error(`Two statements are named ${name}`)
  // A statement that records what it does says who did it, and is held to the limits of the user.
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

/** A statement that removes one record and gives a row for it; true if there was one. */
export function removing(name: string, text: string) {
  const remove = selecting(name, text)
  return async (db: Db, ...values: unknown[]) => (await remove(db, ...values)).length > 0
}

/** For an update's `set`: later than before, even within a millisecond or after a wait. */
export const touched = `updated_at = greatest(current_timestamp, updated_at + interval '1 millisecond')`

/** The same where the statement joins, and must say whose. */
export const touchedOf = (row: string) => touched.replace(', updated_at', `, ${row}.updated_at`)

/**
 * For the CTE `old` of an update by JSON: false where the changes leave the row as it is, which is then
 * not written. Asked of the locked row: the update's own snapshot may show an earlier one.
 */
export const differs = (json = '$3') =>
  `old is distinct from jsonb_populate_record(old, ${json}) as differs`

/** The row as it is now, from the CTEs of such an update: written, or left as it was. */
export const asItIs = (row: string) =>
  `(select * from ${row} union all select * from old where not exists (select from ${row})) ${row}`

export type Fields = Record<string, string>

/** A JSON object in SQL, from its fields: `object({ id: 'label.id' })`. */
export const object = (fields: Fields) =>
  `json_build_object(${Object.entries(fields)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join()})`

/** A timestamptz as the wire has it. */
export const iso = (column: string) => `iso(${column})`

// A row made into JSON whole takes less time and fewer bytes than json_build_object.
const selected = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join()

/** The JSON of one row, or null: `one({ id: 'space.id' }, 'from spaces space where …')`. */
export const one = (fields: Fields, from = '') =>
  `(select to_json(row) from (select ${selected(fields)} ${from}) row)`

/** The same as jsonb, which is what is stored. */
export const oneAsJsonb = (fields: Fields, from = '') =>
  `(select to_jsonb(row) from (select ${selected(fields)} ${from}) row)`

/** The JSON of the rows, in their order; `[]` where there are none. */
export const many = (fields: Fields, from: string) =>
  `(select coalesce(json_agg(row), '[]') from (select ${selected(fields)} ${from}) row)`

/** The JSON of ids, sorted: `ids('label_id', 'from task_labels where …')`. */
export const ids = (column: string, from: string) =>
  `(select coalesce(json_agg(${column} order by ${column}), '[]') ${from})`

/** Changes by the names of the columns they go to, as JSON: `dueAt` goes to `due_at`. */
export const columns = (changes: object) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [snake(name), value])),
  )

/** `dueAt` is the column `due_at`. */
export const snake = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** For what cannot be: a statement that always gives a row gave none. */
export function never(name: string): never {
  throw new Error(`${name} gave no row`)
}
