// References to other records, checked and held in the statement that writes them, before it locks the
// agenda: whoever deletes the record waits. The composite foreign keys stand behind: what they refuse,
// the second try (`http/write.ts`) finds missing.
import { referenceNotFound } from '../errors.ts'
import type { Db } from './database.ts'
import { type Json, never, selecting, snake } from './statement.ts'
import { Overtaken } from './violations.ts'

const tables = {
  spaceId: 'spaces',
  projectId: 'projects',
  parentTaskId: 'tasks',
  schedulePreferenceId: 'schedule_preferences',
} as const

/**
 * SQL for the first of these fields that refers to nothing of the user's, or null. The reference is
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
 * A statement that writes a record and answers it in a column `json`, or names in a column `missing`
 * the reference it refused: that is a 400. No row, or no `json`: there is no such record.
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
    if (row?.overtaken) throw new Overtaken(`${name} found the record changed meanwhile`)
    return row?.json ?? undefined
  }
}

/** The same for a new record, which there is if nothing was missing. */
export function creating<Shape>(name: string, text: string) {
  const write = referring<Shape>(name, text)
  return async (db: Db, ...values: unknown[]) => (await write(db, ...values)) ?? never(name)
}
