import type { Usage } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { object } from '../../platform/db/fragments.ts'
import { raw, sql, userId } from '../../platform/db/sql.ts'
import { execute, queryJsonOrNone } from '../../platform/db/statement.ts'
import {
  bytesOfKey,
  columnOf,
  countedResources,
  limitOf,
  type Limits,
} from '../../platform/db/usage.ts'
import { notFound } from '../../platform/errors.ts'

const columns = {
  ...Object.fromEntries(countedResources.map((resource) => [resource, columnOf(resource)])),
  textBytes: 'text_bytes',
  historyBytes: 'history_bytes',
}

const amounts = (used: (column: string) => string) =>
  object(
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [
        name,
        object({ used: used(column), limit: limitOf(name as keyof Limits) }),
      ]),
    ),
  )

// A user who has not changed anything yet has no row in `user_state`.
const find = queryJsonOrNone<Usage>()(
  'usage.find',
  sql`
  select coalesce((select ${amounts((column) => `user_state.${column}`)}
                     from user_state
                    where user_state.user_id = ${userId}),
                  ${amounts(() => '0')})::text as json
    from users person
   where person.id = ${userId}`,
)

export async function findUsage(db: Db, userId: string) {
  const found = await find(db, { userId })
  if (!found) throw notFound('User not found')
  return found
}

const lock = execute(
  'usage.lock',
  sql`select from user_state where user_id = ${userId} for no key update`,
)

const countOf = (table: string, condition = '') =>
  sql`(select count(*) from ${raw(table)} where user_id = ${userId} ${raw(condition)})`
const bytesOf = (table: string, column: string) =>
  sql`(select coalesce(sum(octet_length(${raw(column)})), 0) from ${raw(table)} where user_id = ${userId})`

const recount = execute(
  'usage.recount',
  sql`
  update user_state
     set task_count = ${countOf('tasks')},
         project_count = ${countOf('projects')},
         space_count = ${countOf('spaces')},
         label_count = ${countOf('labels')},
         document_count = ${countOf('documents')},
         checklist_item_count = ${countOf('checklist_items')},
         schedule_preference_count = ${countOf('schedule_preferences')},
         time_block_count = ${countOf('time_blocks', `and source = 'manual'`)},
         dependency_count = ${countOf('task_dependencies')},
         document_link_count = ${countOf('task_documents')},
         notification_count = ${countOf('notifications')},
         text_bytes = ${bytesOf('documents', 'content')} + ${bytesOf('tasks', 'description')}
                    + ${bytesOf('projects', 'description')},
         history_bytes = (select coalesce(sum(bytes), 0) from events where user_id = ${userId})
                       + ${bytesOf('texts', 'content')},
         answer_bytes = (select coalesce(sum(${raw(bytesOfKey)}), 0)
                           from idempotency_keys where user_id = ${userId})
   where user_id = ${userId}`,
)

/** Recounts the usage. `user_state` is locked first, so that the count includes exactly the writes already counted. */
export const recountUsage = (db: Db, userId: string) =>
  db.transaction(async (transaction) => {
    await lock(transaction, { userId })
    await recount(transaction, { userId })
  })
