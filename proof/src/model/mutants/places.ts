// Faults in spaces, labels, projects and documents.
import { fault } from './mutant.ts'

const spaces = fault('spaces', 'server/src/spaces/spaces.queries.ts')
const labels = fault('labels', 'server/src/labels/labels.queries.ts')
const projects = fault('projects', 'server/src/projects/projects.queries.ts')
const documents = fault('documents', 'server/src/documents/documents.queries.ts')

export const places = [
  spaces('the default space goes', 'from space where not is_default', 'from space'),
  fault('spaces', 'server/src/db/recording.ts')(
    'what is detached is not touched',
    'set ${reference} = null, ${touchedOf(row)}',
    'set ${reference} = null',
  ),
  spaces(
    'the order is that of making',
    'order by space.sort_order, space.created_at',
    'order by space.created_at',
  ),
  spaces('archived projects are shown', 'and not project.archived', ''),
  {
    name: 'spaces: isDefault can be sent',
    control: 'spaces',
    edits: [
      {
        file: 'contract/src/spaces.ts',
        find: '.extend({ sortOrder: SortOrder })',
        replace: '.extend({ sortOrder: SortOrder, isDefault: z.boolean() })',
      },
      {
        file: 'server/src/spaces/spaces.queries.ts',
        find: `set (name, color, icon, sort_order) =
           (select name, color, icon, sort_order from`,
        replace: `set (name, color, icon, sort_order, is_default) =
         (select name, color, icon, sort_order, is_default from`,
      },
    ],
  },
  labels(
    'a rename to a used name fails',
    'update(db, userId, id, columns(changes)).catch(nameTaken)',
    'update(db, userId, id, columns(changes))',
  ),
  labels(
    'null does not clear the color',
    '(select name, color from',
    '(select name, coalesce(color, label.color) from',
  ),
  labels('the order is not exact', 'order by label.name`', 'order by lower(label.name)`'),
  {
    name: "labels: another's can be deleted",
    control: 'labels',
    edits: [
      {
        file: 'server/src/labels/labels.queries.ts',
        find: 'select id from labels where user_id = $1',
        replace: 'select id from labels where $1::uuid is not null',
      },
      {
        file: 'server/src/labels/labels.queries.ts',
        find: 'delete from labels where user_id = $1',
        replace: 'delete from labels where $1::uuid is not null',
      },
    ],
  },
  projects('a completed task is open', "task.status < 'completed'", "task.status <= 'completed'"),
  projects('archived ones are listed', 'and not project.archived ${condition}', '${condition}'),
  fault('projects', 'server/src/projects/projects.routes.ts')(
    'permanent=false is permanent',
    "request.query.permanent === 'true'",
    'request.query.permanent !== undefined',
  ),
  documents(
    'filters do not combine',
    'and document.space_id = $2 and document.project_id = $3',
    'and (document.space_id = $2 or document.project_id = $3)',
  ),
  documents(
    'content cannot be emptied',
    '(select ${columns} from',
    "(select ${columns.replace('content', \"coalesce(nullif(content, ''), document.content)\")} from",
  ),
]
