// References to other records are checked and locked in the statement that writes them, before it locks the
// agenda, so a concurrent delete of the referenced record waits. The composite foreign keys are the safety
// net: after a violation the retry (`http/write.ts`) finds the reference missing.
import { referenceNotFound } from '../errors.ts'
import type { Db } from './database.ts'
import { type Json, never, selecting, snake } from './statement.ts'
import { ConcurrentUpdate } from './violations.ts'

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
export const firstMissing = (fields: (keyof typeof tables)[], more = '') => `
    case ${fields
      .map((field) => {
        const table = tables[field]
        const column = snake(field)
        return `
      when given.${column} is not null
       and not exists (select from ${table}
                        where ${table}.user_id = $1 and ${table}.id = given.${column}
                          for key share)
      then '${field}'`
      })
      .join('')}${more}
    end`

/**
 * A statement that writes a record and returns it in a column `json`, or names the invalid reference in
 * a column `missing`, which is a 400. No row, or no `json`, means that there is no such record.
 */
export function referring<Shape>(name: string, text: string) {
  const write = selecting<{
    missing: string | null
    overtaken?: boolean
    json: Json<Shape> | null
  }>(name, text)
  return async (db: Db, ...values: unknown[]) => {
    const [row, another] = await write(db, ...values)
    if (another) throw new Error(`${name} gave two rows`)
    if (row?.missing) throw referenceNotFound(row.missing)
    if (row?.overtaken) throw new ConcurrentUpdate(`${name} found the record changed meanwhile`)
    return row?.json ?? undefined
  }
}

/** The same for a new record, which exists if no reference was missing. */
export function creating<Shape>(name: string, text: string) {
  const write = referring<Shape>(name, text)
  return async (db: Db, ...values: unknown[]) => (await write(db, ...values)) ?? never(name)
}
