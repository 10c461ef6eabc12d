// Faults in tasks and the records that belong to them.
import { fault } from './mutant.ts'

const tasks = fault('tasks', 'server/src/tasks/tasks.queries.ts')
const list = fault('tasks', 'server/src/tasks/task-list.queries.ts')
const values = fault('spaces', 'contract/src/values.ts')
const times = fault('blocks', 'contract/src/parse-timestamp.ts')
const batch = fault('batch', 'server/src/tasks/batch-tasks.ts')
const dependencies = fault('links', 'server/src/tasks/dependencies.queries.ts')
const checklist = fault('checklist', 'server/src/checklist-items/checklist-items.queries.ts')

export const work = [
  tasks(
    'the estimate of before is copied',
    'coalesce(task.actual_minutes, changed.estimate_minutes)',
    'coalesce(task.actual_minutes, task.estimate_minutes)',
  ),
  tasks('archived again, it counts anew', 'coalesce(task.archived_at, ${now})', '${now}'),
  tasks('labels are added, not replaced', 'label_id <> all ($4::uuid[])', 'false'),
  tasks(
    'a parent is not looked for',
    "['spaceId', 'projectId', 'schedulePreferenceId', 'parentTaskId']",
    "['spaceId', 'projectId', 'schedulePreferenceId']",
  ),
  {
    name: 'tasks: actualMinutes can be sent',
    control: 'tasks',
    edits: [
      {
        file: 'contract/src/tasks.ts',
        find: `    sortOrder: SortOrder,
  })
  .partial()
  .meta({ id: 'TaskChanges'`,
        replace: `    sortOrder: SortOrder,
    actualMinutes: z.int().nullable(),
  })
  .partial()
  .meta({ id: 'TaskChanges'`,
      },
      {
        file: 'server/src/tasks/tasks.queries.ts',
        find: 'else task.actual_minutes end',
        replace: 'else changed.actual_minutes end',
      },
    ],
  },
  list(
    'those without a due date come first',
    'order by task.status, task.priority desc, task.due_at, task.sort_order, task.id',
    'order by task.status, task.priority desc, task.due_at nulls first, task.sort_order, task.id',
    1,
  ),
  list('the second page is the first', '($3::bigint - 1) * $2', 'greatest($3::bigint - 2, 0) * $2'),
  values(
    'length counts code points',
    '({ length }) => length <= max',
    '(text) => [...text].length <= max',
  ),
  values('half a surrogate pair is taken', ' && text.isWellFormed()', ''),
  times(
    '30 February is a day',
    `if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined`,
    '',
  ),
  times(
    'milliseconds are rounded',
    "Number(fraction.slice(0, 3).padEnd(3, '0'))",
    'Math.round(Number(`0.${fraction || 0}`) * 1000)',
  ),
  times('offsets go the wrong way', 'Number(minute) - offset', 'Number(minute) + offset'),
  batch(
    'what took longer is forgotten',
    'coalesce(task.actual_minutes, task.estimate_minutes)',
    'task.estimate_minutes',
  ),
  batch('an id sent twice counts once', 'requested: ids.length', 'requested: new Set(ids).size'),
  dependencies(
    'a circle may close',
    'on link.user_id = $1 and link.task_id = waited_for.id',
    'on link.user_id = $1 and link.task_id = waited_for.id and false',
  ),
  dependencies(
    'who waits is mixed up',
    "blocks: withOther('depends_on_task_id', 'task_id')",
    "blocks: withOther('task_id', 'depends_on_task_id')",
  ),
  fault('links', 'server/src/tasks/task-links.routes.ts')(
    'what is there is created',
    'reply.code(isNew ? 201 : 200)',
    'reply.code(201)',
    0,
  ),
  fault('links', 'server/src/tasks/document-links.queries.ts')(
    'all documents are unlinked',
    'and task_id = $2 and document_id = $3',
    'and task_id = $2 and $3::uuid is not null',
  ),
  fault('checklist', 'server/src/tasks/task-json.ts')(
    'items have no order',
    'order by item.sort_order, item.id',
    'order by item.id',
  ),
  checklist(
    'what is ticked stays so',
    '(select title, completed, sort_order',
    '(select title, completed or item.completed, sort_order',
  ),
]
