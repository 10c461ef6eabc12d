import type { TaskFilter, TaskPage } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { many, object, one } from '../../platform/db/fragments.ts'
import { bigint, integer, join, sql, text, timestamp, userId, uuid } from '../../platform/db/sql.ts'
import { queryJson } from '../../platform/db/statement.ts'
import { checklistItems, labels, places, task, timeBlocks } from './task-json.ts'

const limit = sql`${integer('limit')}::integer`
const page = sql`${bigint('page')}::bigint`

/** The filters of the list. */
const conditions = {
  open: sql`task.status < 'completed'`, // the enum's order: backlog, todo, in_progress
  status: sql`task.status = ${text.orNull('status')}`,
  spaceId: sql`task.space_id = ${uuid.orNull('spaceId')}`,
  projectId: sql`task.project_id = ${uuid.orNull('projectId')}`,
  // "is true" keeps PostgreSQL from turning it into a join: the generic plan expects one row on each side and
  // would choose a nested loop. The sub-select is hashed instead.
  labelId: sql`(task.id in (select link.task_id from task_labels link
                where link.user_id = ${userId} and link.label_id = ${uuid.orNull('labelId')})) is true`,
  dueBefore: sql`task.due_at <= ${timestamp.orNull('dueBefore')}`,
}
type Condition = keyof typeof conditions

// One statement for every set of filters, so that each has its own plan.
const narrowing = ['spaceId', 'projectId', 'labelId', 'dueBefore'] as const
const narrowed = subsets(narrowing)
const sets: Condition[][] = [
  ...narrowed.map((rest): Condition[] => ['open', ...rest]),
  ...narrowed.map((rest): Condition[] => ['status', ...rest]),
  ...narrowed,
]
const lists = new Map(sets.map((set) => [set.join(), defineList(set)]))

/** A page of tasks with their relations, and the total number. */
export function listTasks(db: Db, userId: string, filter: TaskFilter) {
  const { status, spaceId, projectId, labelId, dueBefore, page, limit } = filter
  const progress = filter.progress === 'true'
  const set: Condition[] = status ? ['status'] : filter.includeCompleted === 'true' ? [] : ['open']
  set.push(...narrowing.filter((name) => filter[name] !== undefined))
  const list = lists.get(set.join())
  if (!list) throw new Error(`No statement lists tasks by ${set.join()}`)
  return list(db, { userId, status, spaceId, projectId, labelId, dueBefore, page, limit, progress })
}

function defineList(set: Condition[]) {
  const mine = sql`task.user_id = ${userId}`
  const where = join([mine, ...set.map((name) => conditions[name])], '\n           and ')
  return queryJson<TaskPage>()(
    `tasks.list ${set.join()}`.trim(),
    sql`
  with total as (
    select count(*) as count
      from tasks task
     where ${where}
  )
  select ${one({
    data: many(
      {
        ...task,
        ...places,
        labels,
        checklistItems,
        timeBlocks: timeBlocks(`and block.status <> 'cancelled'`),
      },
      sql`from (select *
          from tasks task
         where ${where}
         order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
         limit ${limit} offset (${page} - 1) * ${limit}) task
      order by task.status, task.priority desc, task.due_at, task.sort_order, task.id`,
    ),
    pagination: object({
      page,
      limit,
      total: 'total.count',
      pages: sql`(total.count + ${limit} - 1) / ${limit}`,
    }),
  })}::text as json
    from total`,
  )
}

function subsets<Item>(items: readonly Item[]): Item[][] {
  const [first, ...rest] = items
  if (first === undefined) return [[]]
  return subsets(rest).flatMap((subset) => [subset, [first, ...subset]])
}
