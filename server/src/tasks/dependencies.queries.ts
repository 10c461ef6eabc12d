import type { Dependencies, Dependency } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { recording } from '../db/recording.ts'
import { finding, type Json, many, object, one, removing, selecting } from '../db/statement.ts'
import { lockUser } from '../db/lock-user.ts'
import { newId } from '../db/new-id.ts'
import { conflict, notFound, referenceNotFound } from '../errors.ts'
import { dependency, dependencyRecord } from './dependency-json.ts'
import { taskSummary } from './task-json.ts'
import { taskNotFound } from './tasks.queries.ts'

const withOther = (mine: string, other: string) =>
  many(
    { ...dependency, task: taskSummary },
    `from task_dependencies dependency
     join tasks task on task.user_id = $1 and task.id = dependency.${other}
    where dependency.user_id = $1 and dependency.${mine} = $2
    order by dependency.id`,
  )

const find = finding<Dependencies>(
  'dependencies.find',
  `
  select ${one({
    blockedBy: withOther('task_id', 'depends_on_task_id'),
    blocks: withOther('depends_on_task_id', 'task_id'),
  })}::text as json
    from tasks
   where user_id = $1 and id = $2`,
)

// The transitive dependencies of the other task: this one must not be among them.
const insert = selecting<{
  task: boolean
  other: boolean
  cycle: boolean
  json: Json<Dependency> | null
  known: Json<Dependency> | null
}>(
  'dependencies.insert',
  `
  with recursive waited_for as (
    select $4::uuid as id
     union
    select link.depends_on_task_id
      from waited_for
      join task_dependencies link on link.user_id = $1 and link.task_id = waited_for.id
  ), held as (
    select id from tasks where user_id = $1 and id in ($3, $4) order by id for key share
  ), checked as (
    select (select count(*) from held where id = $3) = 1 as task,
           (select count(*) from held where id = $4) = 1 as other,
           exists (select from waited_for where id = $3) as cycle
  ), dependency as (
    insert into task_dependencies (user_id, id, task_id, depends_on_task_id)
    select $1, $2, $3, $4 from checked where task and other and not cycle
    on conflict (user_id, task_id, depends_on_task_id) do nothing
    returning *
  ), ${recording([{ ...dependencyRecord, type: 'dependency.created', after: 'dependency' }], { plan: true })}
  select checked.*,
         (select ${object(dependency)}::text from dependency) as json,
         (select ${object(dependency)}::text
            from task_dependencies dependency
           where user_id = $1 and task_id = $3 and depends_on_task_id = $4) as known
    from checked`,
)

const remove = removing(
  'dependencies.delete',
  `
  with gone as (
    delete from task_dependencies
     where user_id = $1 and task_id = $2 and depends_on_task_id = $3
    returning *
  ), ${recording([{ ...dependencyRecord, type: 'dependency.deleted', before: 'gone' }], { plan: true })}
  select id from gone`,
)

export async function findDependencies(db: Db, userId: string, taskId: string) {
  const found = await find(db, userId, taskId)
  if (!found) throw taskNotFound()
  return found
}

/** Makes a task depend on another. Serialized per user: two concurrent ones could create a cycle. */
export const addDependency = (db: Db, userId: string, taskId: string, dependsOnTaskId: string) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const [row] = await insert(transaction, userId, newId(), taskId, dependsOnTaskId)
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
  if (!(await remove(db, userId, taskId, dependsOnTaskId))) {
    throw notFound('Dependency not found')
  }
}
