// Statements: each is named and prepared once per connection. PostgreSQL builds the JSON of the response, so
// rows are not parsed, mapped and serialized again.
import { referenceNotFound } from '../errors.ts'
import type { Db } from './database.ts'
import { ConcurrentUpdate } from './database-errors.ts'
import { limits, numberParameters, type Sql } from './sql.ts'
import { asLimitReached } from './usage.ts'

/** JSON of the given shape, as the client reads it. Tests validate every response against it. */
export type Json<Shape> = string & { readonly of?: Shape }

/** All statements by name; tests prepare and explain each of them. */
export const statements = new Map<string, string>()

/** The parameters of the statements by name; a test compares their types with those PostgreSQL infers. */
export const parametersOf = new Map<string, readonly { name: string; type: string }[]>()

/** The values of a statement's parameters, if it has any. */
export type Values<Given> = unknown extends Given
  ? []
  : [given: { [Name in keyof Given]: Given[Name] }]

/** A statement whose rows the server itself uses. */
export const queryRows =
  <Row extends object>() =>
  <Given>(name: string, statement: Sql<Given>) => {
    if (statements.has(name)) throw new Error(`Two statements are named ${name}`)
    const { text, parameters } = numberParameters(statement)
    statements.set(name, text)
    parametersOf.set(name, parameters)
    const isLimited = parameters.some((each) => limits.parts.includes(each))
    return async (db: Db, ...[given]: Values<Given>) => {
      const values = parameters.map(({ valueOf }) => valueOf(db, given))
      const sent = db.query<Row>({ name, text, values })
      try {
        return (await sent).rows
      } catch (error) {
        throw isLimited ? asLimitReached(error, db.limits) : error
      }
    }
  }

/** A statement without a result. */
export const execute = <Given>(name: string, statement: Sql<Given>) => {
  const run = queryRows()(name, statement)
  return async (db: Db, ...given: Values<Given>) => {
    await run(db, ...given)
  }
}

/** A statement that returns the response in a column `json`, or no row. */
export const queryJsonOrNone =
  <Shape>() =>
  <Given>(name: string, statement: Sql<Given>) => {
    const query = queryRows<{ json: Json<Shape> }>()(name, statement)
    return async (db: Db, ...given: Values<Given>) => (await query(db, ...given))[0]?.json
  }

/** Like `queryJsonOrNone`, for a statement that always returns a row. */
export const queryJson =
  <Shape>() =>
  <Given>(name: string, statement: Sql<Given>) => {
    const query = queryJsonOrNone<Shape>()(name, statement)
    return async (db: Db, ...given: Values<Given>) => assertRow(name, await query(db, ...given))
  }

type Written<Shape> = {
  missing: string | null
  overtaken?: boolean
  json: Json<Shape> | null
}

/**
 * A statement that writes a record and returns it in a column `json`, or names the invalid reference in
 * a column `missing` (`check-references.ts`), which is a 400. No row, or no `json`, means that there is no such record.
 */
export const updateReturningJson =
  <Shape>() =>
  <Given>(name: string, statement: Sql<Given>) => {
    const write = queryRows<Written<Shape>>()(name, statement)
    return async (db: Db, ...given: Values<Given>) => writtenBy(name, await write(db, ...given))
  }

/** Like `updateReturningJson`, for a new record, which always exists if no reference was missing. */
export const insertReturningJson =
  <Shape>() =>
  <Given>(name: string, statement: Sql<Given>) => {
    const write = updateReturningJson<Shape>()(name, statement)
    return async (db: Db, ...given: Values<Given>) => assertRow(name, await write(db, ...given))
  }

function writtenBy<Shape>(name: string, [row, another]: Written<Shape>[]) {
  if (another) throw new Error(`${name} returned two rows`)
  if (row?.missing) throw referenceNotFound(row.missing)
  if (row?.overtaken) throw new ConcurrentUpdate(`${name} found the record changed meanwhile`)
  return row?.json ?? undefined
}

/** A statement that deletes one record and returns a row for it; true if it existed. */
export const deleteReturning = <Given>(name: string, statement: Sql<Given>) => {
  const remove = queryRows()(name, statement)
  return async (db: Db, ...given: Values<Given>) => (await remove(db, ...given)).length > 0
}

/** Returns the row; throws if the statement, which always returns one, did not. */
export function assertRow<Row>(name: string, row: Row | undefined): Row {
  if (row === undefined) throw new Error(`${name} returned no row`)
  return row
}
