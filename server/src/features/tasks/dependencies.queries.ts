import type { Dependencies, Dependency } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { many, object, one } from '../../platform/db/fragments.ts'
import { raw, sql, userId, uuid } from '../../platform/db/sql.ts'
import {
  deleteReturning,
  type Json,
  queryJsonOrNone,
  queryRows,
} from '../../platform/db/statement.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { conflict, notFound, referenceNotFound } from '../../platform/errors.ts'
import { dependency, dependencyRecord } from './dependency-json.ts'
import { taskSummary } from './task-json.ts'
import { taskNotFound } from './tasks.queries.ts'

const taskId = uuid('taskId')
const dependsOnTaskId = uuid('dependsOnTaskId')

const withOther = (mine: string, other: string) =>
  many(
    { ...dependency, task: taskSummary },
    sql`from task_dependencies dependency
     join tasks task on task.user_id = ${userId} and task.id = dependency.${raw(other)}
    where dependency.user_id = ${userId} and dependency.${raw(mine)} = ${taskId}
    order by dependency.id`,
  )

const find = queryJsonOrNone<Dependencies>()(
  'dependencies.find',
  sql`
  select ${one({
    blockedBy: withOther('task_id', 'depends_on_task_id'),
    blocks: withOther('depends_on_task_id', 'task_id'),
  })}::text as json
    from tasks
   where user_id = ${userId} and id = ${taskId}`,
)

// `waited_for` holds the transitive dependencies of the other task: this one must not be among them.
const insert = queryRows<{
  task: boolean
  other: boolean
  cycle: boolean
  json: Json<Dependency> | null
  known: Json<Dependency> | null
}>()(
  'dependencies.insert',
  sql`
  with recursive waited_for as (
    select ${dependsOnTaskId}::uuid as id
     union
    select link.depends_on_task_id
      from waited_for
      join task_dependencies link on link.user_id = ${userId} and link.task_id = waited_for.id
  ), held as (
    select id from tasks where user_id = ${userId} and id in (${taskId}, ${dependsOnTaskId}) order by id for key share
  ), checked as (
    select (select count(*) from held where id = ${taskId}) = 1 as task,
           (select count(*) from held where id = ${dependsOnTaskId}) = 1 as other,
           exists (select from waited_for where id = ${taskId}) as cycle
  ), dependency as (
    insert into task_dependencies (user_id, id, task_id, depends_on_task_id)
    select ${userId}, ${uuid('id')}, ${taskId}, ${dependsOnTaskId} from checked where task and other and not cycle
    on conflict (user_id, task_id, depends_on_task_id) do nothing
    returning *
  ), ${appendEvents([{ ...dependencyRecord, type: 'dependency.created', after: 'dependency' }], { plan: true })}
  select checked.*,
         (select ${object(dependency)}::text from dependency) as json,
         (select ${object(dependency)}::text
            from task_dependencies dependency
           where user_id = ${userId} and task_id = ${taskId} and depends_on_task_id = ${dependsOnTaskId}) as known
    from checked`,
)

const remove = deleteReturning(
  'dependencies.delete',
  sql`
  with gone as (
    delete from task_dependencies
     where user_id = ${userId} and task_id = ${taskId} and depends_on_task_id = ${dependsOnTaskId}
    returning *
  ), ${appendEvents([{ ...dependencyRecord, type: 'dependency.deleted', before: 'gone' }], { plan: true })}
  select id from gone`,
)

export async function findDependencies(db: Db, userId: string, taskId: string) {
  const found = await find(db, { userId, taskId })
  if (!found) throw taskNotFound()
  return found
}

/** Makes a task depend on another. Serialized per user: two concurrent requests could create a cycle. */
export const addDependency = (db: Db, userId: string, taskId: string, dependsOnTaskId: string) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const [row] = await insert(transaction, { userId, id: newId(), taskId, dependsOnTaskId })
    if (!row?.task) throw taskNotFound()
    if (!row.other) throw referenceNotFound('dependsOnTaskId')
    if (row.cycle) throw conflict('Dependency would create a cycle')
    return { isNew: row.json !== null, dependency: row.json ?? row.known ?? '' }
  })

export async function removeDependency(
  db: Db,
  userId: string,
  taskId: string,
  dependsOnTaskId: string,
) {
  if (!(await remove(db, { userId, taskId, dependsOnTaskId }))) {
    throw notFound('Dependency not found')
  }
}
