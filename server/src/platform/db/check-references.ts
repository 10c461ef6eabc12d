// References to other records are checked and locked in the statement that writes them, before it locks the
// agenda, so a concurrent delete of the referenced record waits. The composite foreign keys are the safety
// net: after a violation the retry (`platform/http/idempotency.ts`) finds the reference missing.
import { referenceNotFound } from '../errors.ts'
import type { Db } from './database.ts'
import { ConcurrentUpdate } from './database-errors.ts'
import { asSql, type SqlText } from './fragments.ts'
import { join, raw, snake, type Sql, sql, userId } from './sql.ts'
import { assertRow, type Json, queryRows, type Values } from './statement.ts'

const tables = {
  spaceId: 'spaces',
  projectId: 'projects',
  parentTaskId: 'tasks',
  schedulePreferenceId: 'schedule_preferences',
} as const

/**
 * SQL for the first of these fields that refers to no record of the user, or null. The references are
 * read from `given`, a row with the columns `space_id`, `project_id` and so on.
 */
export const firstMissing = <More extends SqlText = ''>(
  fields: (keyof typeof tables)[],
  more?: More,
) => sql`
    case ${join(fields.map(unlessFound), '')}${asSql((more ?? '') as More)}
    end`

function unlessFound(field: keyof typeof tables) {
  const table = raw(tables[field])
  const column = raw(snake(field))
  return sql`
      when given.${column} is not null
       and not exists (select from ${table}
                        where ${table}.user_id = ${userId} and ${table}.id = given.${column}
                          for key share)
      then ${raw(`'${field}'`)}`
}

type Written<Shape> = {
  missing: string | null
  overtaken?: boolean
  json: Json<Shape> | null
}

/**
 * A statement that writes a record and returns it in a column `json`, or names the invalid reference in
 * a column `missing`, which is a 400. No row, or no `json`, means that there is no such record.
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
  if (another) throw new Error(`${name} gave two rows`)
  if (row?.missing) throw referenceNotFound(row.missing)
  if (row?.overtaken) throw new ConcurrentUpdate(`${name} found the record changed meanwhile`)
  return row?.json ?? undefined
}
