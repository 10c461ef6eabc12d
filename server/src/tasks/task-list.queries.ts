import type { TaskFilter, TaskPage } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { answering, many, object, one } from '../db/statement.ts'
import { checklistItems, labels, places, task, timeBlocks } from './task-json.ts'

/** The filters of the list; `given` is the parameter of the value. */
const conditions = {
  open: () => `task.status < 'completed'`, // the enum's order: backlog, todo, in_progress
  status: (given: string) => `task.status = ${given}`,
  spaceId: (given: string) => `task.space_id = ${given}`,
  projectId: (given: string) => `task.project_id = ${given}`,
  // "is true" keeps PostgreSQL from turning it into a join: the generic plan expects one row on each side and
  // would choose a nested loop. The sub-select is hashed instead.
  labelId: (given: string) => `(task.id in (select link.task_id from task_labels link
                where link.user_id = $1 and link.label_id = ${given})) is true`,
  dueBefore: (given: string) => `task.due_at <= ${given}`,
}
type Condition = keyof typeof conditions

// One statement for every set of filters, so that each has its own plan.
const narrowed = subsets(['spaceId', 'projectId', 'labelId', 'dueBefore'] as const)
const sets: Condition[][] = [
  ...narrowed.map((rest): Condition[] => ['open', ...rest]),
  ...narrowed.map((rest): Condition[] => ['status', ...rest]),
  ...narrowed,
]
const lists = new Map(sets.map((set) => [set.join(), pageOf(set)]))

/** A page of tasks with their relations, and the total number. */
export function listTasks(db: Db, userId: string, filter: TaskFilter) {
  const { status, includeCompleted, page, limit } = filter
  const set: Condition[] = status ? ['status'] : includeCompleted === 'true' ? [] : ['open']
  const values: unknown[] = status ? [status] : []
  for (const name of ['spaceId', 'projectId', 'labelId', 'dueBefore'] as const) {
    const value = filter[name]
    if (value === undefined) continue
    set.push(name)
    values.push(value instanceof Date ? value.toISOString() : value)
  }
  const list = lists.get(set.join())
  if (!list) throw new Error(`No statement lists tasks by ${set.join()}`)
  return list(db, userId, limit, page, ...values)
}

function pageOf(set: Condition[]) {
  const given = set.filter((name) => name !== 'open')
  const where = [
    'task.user_id = $1',
    ...set.map((name) => conditions[name](`$${4 + given.indexOf(name as (typeof given)[number])}`)),
  ].join('\n           and ')
  return answering<TaskPage>(
    `tasks.list ${set.join()}`.trim(),
    `
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
      `from (select *
          from tasks task
         where ${where}
         order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
         limit $2::integer offset ($3::bigint - 1) * $2::integer) task
      order by task.status, task.priority desc, task.due_at, task.sort_order, task.id`,
    ),
    pagination: object({
      page: '$3::bigint',
      limit: '$2::integer',
      total: 'total.count',
      pages: '(total.count + $2::integer - 1) / $2::integer',
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
