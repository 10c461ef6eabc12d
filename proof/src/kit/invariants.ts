// Invariants that must hold for the data at any time: after any operation, kill or restore. Each is a query for
// violations.
import type pg from 'pg'

type Asking = Pick<pg.Client, 'query'>

/** Every reference must lead to a row of the same user. */
const references = [
  ['spaces', 'user_id', 'users'],
  ['api_keys', 'user_id', 'users'],
  ['planner_runs', 'user_id', 'users'],
  ['notifications', 'user_id', 'users'],
  ['idempotency_keys', 'user_id', 'users'],
  ['projects', 'space_id', 'spaces'],
  ['tasks', 'space_id', 'spaces'],
  ['tasks', 'project_id', 'projects'],
  ['tasks', 'parent_task_id', 'tasks'],
  ['tasks', 'schedule_preference_id', 'schedule_preferences'],
  ['projects', 'schedule_preference_id', 'schedule_preferences'],
  ['spaces', 'schedule_preference_id', 'schedule_preferences'],
  ['user_settings', 'schedule_preference_id', 'schedule_preferences'],
  ['documents', 'space_id', 'spaces'],
  ['documents', 'project_id', 'projects'],
  ['task_labels', 'task_id', 'tasks'],
  ['task_labels', 'label_id', 'labels'],
  ['checklist_items', 'task_id', 'tasks'],
  ['task_documents', 'task_id', 'tasks'],
  ['task_documents', 'document_id', 'documents'],
  ['task_dependencies', 'task_id', 'tasks'],
  ['task_dependencies', 'depends_on_task_id', 'tasks'],
  ['time_blocks', 'task_id', 'tasks'],
  ['occurrences', 'task_id', 'tasks'],
  ['occurrences', 'recurrence_id', 'recurrences'],
] as const

const sorted = ['spaces', 'projects', 'tasks', 'checklist_items', 'documents', 'time_blocks']

// The last hundred runs of a user are kept, so a block may be older than all of them.
const isKept = (moment: string) => `
  (select count(*) < 100 or min(old.created_at) < ${moment} - interval '1 second'
     from planner_runs old where old.user_id = block.user_id)`

export const invariants: Record<string, string> = {
  'a user without exactly one default space': `
    select from users person
     where (select count(*) from spaces where user_id = person.id and is_default) <> 1`,

  ...Object.fromEntries(
    references.map(([table, column, other]) => [
      `${table}.${column} that leads nowhere, or to another user`,
      `select from ${table} row
        where row.${column} is not null
          and not exists (select from ${other} other
                           where other.id = row.${column}
                             ${other === 'users' ? '' : 'and other.user_id = row.user_id'})`,
    ]),
  ),

  'an id twice': ['tasks', 'time_blocks', 'labels', 'documents', 'planner_runs']
    .map((table) => `select from ${table} group by id having count(*) > 1`)
    .join(' union all '),
  'two labels of one name': `select from labels group by user_id, name having count(*) > 1`,
  'a dependency twice': `
    select from task_dependencies group by user_id, task_id, depends_on_task_id having count(*) > 1`,
  'two morning summaries of one day': `
    select from notifications where once is not null
     group by user_id, type, once having count(*) > 1`,

  'tasks that wait for each other in a circle': `
    with recursive waits (user_id, first, task) as (
      select user_id, task_id, depends_on_task_id from task_dependencies
       union
      select waits.user_id, waits.first, next.depends_on_task_id
        from waits join task_dependencies next
          on next.user_id = waits.user_id and next.task_id = waits.task
    )
    select from waits where first = task`,
  'a task within itself': `
    with recursive within (user_id, first, task) as (
      select user_id, id, parent_task_id from tasks where parent_task_id is not null
       union
      select within.user_id, within.first, next.parent_task_id
        from within join tasks next on next.user_id = within.user_id and next.id = within.task
       where next.parent_task_id is not null
    )
    select from within where first = task`,

  'a place in a list that is no number': sorted
    .map((table) => `select from ${table} where sort_order in ('NaN', 'Infinity', '-Infinity')`)
    .slice(0, -1)
    .concat('select from time_blocks where sort_order < 0')
    .join(' union all '),

  'an archived task without its moment, or the reverse': `
    select from tasks where (status = 'archived') <> (archived_at is not null)`,
  'a cancelled block without its moment, or the reverse': `
    select from time_blocks where (status = 'cancelled') <> (cancelled_at is not null)`,
  'a completed time or a reason on a block of another status': `
    select from time_blocks
     where completed_at is not null and status <> 'completed'
        or cancel_reason is not null and status <> 'cancelled'`,
  'a block that ends before it begins, or lasts longer than a day': `
    select from time_blocks where end_at <= start_at or end_at > start_at + interval '24 hours'`,
  'a record changed before it was made': ['tasks', 'projects', 'labels', 'documents', 'time_blocks']
    .map((table) => `select from ${table} where updated_at < created_at`)
    .join(' union all '),

  'blocks of one run that overlap': `
    select from time_blocks a join time_blocks b
        on b.user_id = a.user_id and b.made_by_run = a.made_by_run and b.id > a.id
       and b.start_at < a.end_at and a.start_at < b.end_at
     where a.made_by_run is not null and a.source = 'auto' and b.source = 'auto'`,
  'a block made by a run that is not recorded, or only a preview': `
    select from time_blocks block left join planner_runs run
        on run.user_id = block.user_id and run.id = block.made_by_run
     where block.made_by_run is not null
       and (run.state = 'preview' or (run.id is null and ${isKept('block.created_at')}))`,
  'a block cancelled by a run that is not recorded, or only a preview': `
    select from time_blocks block left join planner_runs run
        on run.user_id = block.user_id and run.id = block.cancelled_by_run
     where block.cancelled_by_run is not null
       and (run.state = 'preview' or (run.id is null and ${isKept('block.cancelled_at')}))`,
  'a run with more blocks than it says it made': `
    select from planner_runs run
     where (select count(*) from time_blocks block
             where block.user_id = run.user_id and block.made_by_run = run.id)
           > (run.summary -> 'result' ->> 'tasksScheduled')::int`,
  'more than a hundred runs of one user': `
    select from planner_runs group by user_id having count(*) > 100`,

  'an idempotency key without its answer': `
    select from idempotency_keys where status is null`,
  'an idempotency key that remembers a failure': `
    select from idempotency_keys where status >= 500`,

  'a constraint that is not enforced': `
    select from pg_constraint where not convalidated`,
  'an index that is not usable': `select from pg_index where not indisvalid or not indisready`,
}

const asked = Object.entries(invariants)
  .map(([name, query]) => `select '${name}' as name, count(*) as broken from (${query}) x`)
  .join('\nunion all\n')

/** One line for each violated invariant. */
export async function brokenInvariants(db: Asking): Promise<string[]> {
  const { rows } = await db.query<{ name: string; broken: number | string }>(
    `select * from (${asked}) asked where broken > 0`,
  )
  return rows.map(({ name, broken }) => `${broken} × ${name}`)
}
