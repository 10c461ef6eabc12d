import type { Usage } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { finding, object, selecting } from '../db/statement.ts'
import { columnOf, countedResources } from '../db/usage.ts'
import { notFound } from '../errors.ts'

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
        object({ used: used(column), limit: `($2::jsonb ->> '${name}')::bigint` }),
      ]),
    ),
  )

// A user who has not changed anything yet has no agenda.
const find = finding<Usage>(
  'usage.find',
  `
  select coalesce((select ${amounts((column) => `agenda.${column}`)}
                     from agendas agenda
                    where agenda.user_id = $1),
                  ${amounts(() => '0')})::text as json
    from users person
   where person.id = $1`,
)

export async function findUsage(db: Db, userId: string) {
  const found = await find(db, userId, db.limits)
  if (!found) throw notFound('User not found')
  return found
}

const lock = selecting('usage.lock', 'select from agendas where user_id = $1 for no key update')

const countOf = (table: string, condition = '') =>
  `(select count(*) from ${table} where user_id = $1 ${condition})`
const bytesOf = (table: string, column: string) =>
  `(select coalesce(sum(octet_length(${column})), 0) from ${table} where user_id = $1)`

const recount = selecting(
  'usage.recount',
  `
  update agendas
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
         history_bytes = (select coalesce(sum(bytes), 0) from events where user_id = $1)
                       + ${bytesOf('texts', 'content')},
         answer_bytes = ${bytesOf('idempotency_keys', 'body')}
   where user_id = $1`,
)

/** With the agenda locked first, the count includes exactly the writes already counted. */
export const recountUsage = (db: Db, userId: string) =>
  db.transaction(async (transaction) => {
    await lock(transaction, userId)
    await recount(transaction, userId)
  })
