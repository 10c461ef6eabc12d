// References to other records are checked and locked in the statement that writes them, before it locks
// `user_state`, so a concurrent delete of the referenced record waits. The composite foreign keys are the safety
// net: after a violation the retry (`platform/http/wrap-handler.ts`) finds the reference missing.
import { asSql, type SqlText } from './fragments.ts'
import { join, raw, snake, sql, userId } from './sql.ts'

const tables = {
  spaceId: 'spaces',
  projectId: 'projects',
  parentTaskId: 'tasks',
  schedulePreferenceId: 'schedule_preferences',
} as const

/**
 * SQL for the first of these fields that refers to no record of the user, or null, which a statement returns in the
 * column `missing`. The references are read from `given`, a row with the columns `space_id`, `project_id` and so on.
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
