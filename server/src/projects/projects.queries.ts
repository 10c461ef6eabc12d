import type {
  FullProject,
  ListedProject,
  NewProject,
  Project,
  ProjectChanges,
  ProjectFilter,
  ProjectWithSpace,
} from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { type Change, detaching, recording } from '../db/recording.ts'
import { creating, firstMissing, referring } from '../db/references.ts'
import {
  answering,
  asItIs,
  columns,
  differs,
  finding,
  iso,
  many,
  object,
  one,
  removing,
  touchedOf,
} from '../db/statement.ts'
import { documentRecord } from '../documents/document-json.ts'
import { notFound } from '../errors.ts'
import { spaceSummary } from '../spaces/space-json.ts'
import { taskRecord } from '../tasks/task-json.ts'
import { project, projectRecord } from './project-json.ts'

const projectNotFound = () => notFound('Project not found')

const space = one(
  spaceSummary,
  'from spaces space where space.user_id = $1 and space.id = project.space_id',
)

const listWhere = (condition: string) => `
  select ${many(
    {
      ...project,
      space,
      _count: object({
        tasks: `(select count(*) from tasks
                  where tasks.user_id = $1 and tasks.project_id = project.id)`,
        documents: `(select count(*) from documents
                      where documents.user_id = $1 and documents.project_id = project.id)`,
      }),
    },
    `from projects project
    where project.user_id = $1 and not project.archived ${condition}
    order by project.sort_order, project.id`,
  )}::text as json`

const list = answering<ListedProject[]>('projects.list', listWhere(''))
const listInSpace = answering<ListedProject[]>(
  'projects.list-in-space',
  listWhere('and project.space_id = $2'),
)

const find = finding<FullProject>(
  'projects.find',
  `
  select ${one({
    ...project,
    space,
    tasks: many(
      {
        id: 'task.id',
        title: 'task.title',
        status: 'task.status',
        priority: 'task.priority',
        dueAt: iso('task.due_at'),
        estimateMinutes: 'task.estimate_minutes',
        labels: many(
          { id: 'label.id', name: 'label.name', color: 'label.color' },
          `from task_labels link
             join labels label on label.user_id = $1 and label.id = link.label_id
            where link.user_id = $1 and link.task_id = task.id
            order by label.name`,
        ),
      },
      `from tasks task
        where task.user_id = $1 and task.project_id = $2 and task.status < 'completed'
        order by task.priority desc, task.due_at, task.sort_order, task.id
        limit 50`,
    ),
    documents: many(
      {
        id: 'document.id',
        title: 'document.title',
        docType: 'document.doc_type',
        url: 'document.url',
        createdAt: iso('document.created_at'),
      },
      `from documents document
        where document.user_id = $1 and document.project_id = $2
        order by document.sort_order, document.id`,
    ),
  })}::text as json
    from projects project
   where project.user_id = $1 and project.id = $2`,
)

const insert = creating<Project>(
  'projects.insert',
  `
  with given as (
    select $3::text as name, coalesce($4, '') as description, coalesce($5, '#6B7280') as color,
           coalesce($6, 'folder') as icon, $7::uuid as space_id, $8::integer as priority,
           $9::timestamptz as target_date, coalesce($10, true) as auto_schedule
  ), checked as (
    select ${firstMissing(['spaceId'])} as missing from given
  ), project as (
    insert into projects (user_id, id, name, description, color, icon, space_id, priority,
                          target_date, auto_schedule)
    select $1, $2, name, description, color, icon, space_id, priority, target_date, auto_schedule
      from given, checked
     where missing is null
    returning *
  ), ${recording([{ ...projectRecord, type: 'project.created', after: 'project' }])}
  select missing, case when project.id is not null then ${one(project)}::text end as json
    from checked left join project on true`,
)

const updated: Change = {
  ...projectRecord,
  type: 'project.updated',
  before: 'old',
  after: 'project',
}

const update = referring<ProjectWithSpace>(
  'projects.update',
  `
  with given as (
    select space_id from jsonb_populate_record(null::projects, $3)
  ), checked as (
    select ${firstMissing(['spaceId'])} as missing from given
  ), old as (
    select old.*, ${differs()}
      from projects old, checked
     where old.user_id = $1 and old.id = $2 and missing is null
       for no key update of old
  ), project as (
    update projects project
       set (name, description, color, icon, space_id, status, priority, target_date, archived,
            auto_schedule, sort_order) =
           (select name, description, color, icon, space_id, status, priority, target_date, archived,
                   auto_schedule, sort_order
              from jsonb_populate_record(project, $3)),
           ${touchedOf('project')}
      from old
     where project.user_id = $1 and project.id = old.id and old.differs
    returning project.*, old.differs
  ), ${recording([updated], { plan: true })}
  select missing, case when project.id is not null then ${one({ ...project, space })}::text end as json
    from checked, projects known left join ${asItIs('project')} on true
   where known.user_id = $1 and known.id = $2`,
)

const archive = removing(
  'projects.archive',
  `
  with old as (
    select * from projects where user_id = $1 and id = $2 for no key update
  ), project as (
    update projects project
       set archived = true, ${touchedOf('project')}
      from old
     where project.user_id = $1 and project.id = old.id and not old.archived
    returning project.*
  ), ${recording([updated], { plan: true })}
  select id from old`,
)

const inIt = 'project_id in (select id from old)'
const documents = detaching(documentRecord, 'project_id', inIt)
const tasks = detaching(taskRecord, 'project_id', inIt)

const remove = removing(
  'projects.delete',
  `
  with old as (
    select id from projects where user_id = $1 and id = $2 for update
  ), ${documents.ctes}, ${tasks.ctes}, gone as (
    delete from projects where user_id = $1 and id in (select id from old) returning *
  ), ${recording(
    [{ ...projectRecord, type: 'project.deleted', before: 'gone' }, documents.change, tasks.change],
    { plan: true },
  )}
  select id from gone`,
)

export const listProjects = (db: Db, userId: string, { spaceId }: ProjectFilter) =>
  spaceId ? listInSpace(db, userId, spaceId) : list(db, userId)

export async function findProject(db: Db, userId: string, id: string) {
  const found = await find(db, userId, id)
  if (!found) throw projectNotFound()
  return found
}

export const createProject = (db: Db, userId: string, given: NewProject) =>
  insert(
    db,
    userId,
    newId(),
    given.name,
    given.description,
    given.color,
    given.icon,
    given.spaceId,
    given.priority,
    given.targetDate?.toISOString(),
    given.autoSchedule,
  )

export async function updateProject(db: Db, userId: string, id: string, changes: ProjectChanges) {
  const updated = await update(db, userId, id, columns(changes))
  if (!updated) throw projectNotFound()
  return updated
}

/** Archives a project, or deletes it; its tasks and documents stay. */
export async function deleteProject(db: Db, userId: string, id: string, forGood: boolean) {
  const existed = forGood ? await remove(db, userId, id) : await archive(db, userId, id)
  if (!existed) throw projectNotFound()
}
