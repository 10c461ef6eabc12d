import type {
  DefaultScheduleChanges,
  FullProject,
  ListedProject,
  NewProject,
  Project,
  ProjectChanges,
  ProjectFilter,
  ProjectWithSpace,
} from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents, detachReferences } from '../../platform/db/append-events.ts'
import { firstMissing } from '../../platform/db/check-references.ts'
import {
  differsBy,
  iso,
  many,
  object,
  one,
  setUpdatedAt,
  writtenOrOld,
} from '../../platform/db/fragments.ts'
import {
  boolean,
  integer,
  jsonByColumn,
  sql,
  type Sql,
  text,
  timestamp,
  userId,
  uuid,
} from '../../platform/db/sql.ts'
import {
  deleteReturning,
  insertReturningJson,
  queryJson,
  queryJsonOrNone,
  updateReturningJson,
} from '../../platform/db/statement.ts'
import { documentRecord } from '../documents/document-json.ts'
import { notFound } from '../../platform/errors.ts'
import { spaceSummary } from '../spaces/space-json.ts'
import { taskRecord } from '../tasks/task-json.ts'
import { project, projectRecord } from './project-json.ts'

const projectNotFound = () => notFound('Project not found')
const id = uuid('id')

const space = one(
  spaceSummary,
  sql`from spaces space where space.user_id = ${userId} and space.id = project.space_id`,
)

const listWhere = <Given>(condition: Sql<Given>) => sql`
  select ${many(
    {
      ...project,
      space,
      _count: object({
        tasks: sql`(select count(*) from tasks
                  where tasks.user_id = ${userId} and tasks.project_id = project.id)`,
        documents: sql`(select count(*) from documents
                      where documents.user_id = ${userId} and documents.project_id = project.id)`,
      }),
    },
    sql`from projects project
    where project.user_id = ${userId} and not project.archived ${condition}
    order by project.sort_order, project.id`,
  )}::text as json`

const list = queryJson<ListedProject[]>()('projects.list', listWhere(sql``))
const listInSpace = queryJson<ListedProject[]>()(
  'projects.list-in-space',
  listWhere(sql`and project.space_id = ${uuid('spaceId')}`),
)

const find = queryJsonOrNone<FullProject>()(
  'projects.find',
  sql`
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
          sql`from task_labels link
             join labels label on label.user_id = ${userId} and label.id = link.label_id
            where link.user_id = ${userId} and link.task_id = task.id
            order by label.name`,
        ),
      },
      sql`from tasks task
        where task.user_id = ${userId} and task.project_id = ${id} and task.status < 'completed'
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
      sql`from documents document
        where document.user_id = ${userId} and document.project_id = ${id}
        order by document.sort_order, document.id`,
    ),
  })}::text as json
    from projects project
   where project.user_id = ${userId} and project.id = ${id}`,
)

const insert = insertReturningJson<Project>()(
  'projects.insert',
  sql`
  with given as (
    select ${text('name')}::text as name, coalesce(${text.orNull('description')}, '') as description, coalesce(${text.orNull('color')}, '#6B7280') as color,
           coalesce(${text.orNull('icon')}, 'folder') as icon, ${uuid.orNull('spaceId')}::uuid as space_id, ${integer.orNull('priority')}::integer as priority,
           ${timestamp.orNull('targetDate')}::timestamptz as target_date, coalesce(${boolean.orNull('autoSchedule')}, true) as auto_schedule
  ), checked as (
    select ${firstMissing(['spaceId'])} as missing from given
  ), project as (
    insert into projects (user_id, id, name, description, color, icon, space_id, priority,
                          target_date, auto_schedule)
    select ${userId}, ${id}, name, description, color, icon, space_id, priority, target_date, auto_schedule
      from given, checked
     where missing is null
    returning *
  ), ${appendEvents([{ ...projectRecord, type: 'project.created', after: 'project' }])}
  select missing, case when project.id is not null then ${one(project)}::text end as json
    from checked left join project on true`,
)

const updated = { ...projectRecord, type: 'project.updated', before: 'old', after: 'project' }

const changes = jsonByColumn('changes')
const update = updateReturningJson<ProjectWithSpace>()(
  'projects.update',
  sql`
  with given as (
    select space_id, schedule_preference_id from jsonb_populate_record(null::projects, ${changes})
  ), checked as (
    select ${firstMissing(['schedulePreferenceId', 'spaceId'])} as missing from given
  ), old as (
    select old.*, ${differsBy(changes)}
      from projects old, checked
     where old.user_id = ${userId} and old.id = ${id} and missing is null
       for no key update of old
  ), project as (
    update projects project
       set (name, description, color, icon, space_id, status, priority, target_date, archived,
            auto_schedule, sort_order, schedule_preference_id) =
           (select name, description, color, icon, space_id, status, priority, target_date, archived,
                   auto_schedule, sort_order, schedule_preference_id
              from jsonb_populate_record(project, ${changes})),
           ${setUpdatedAt('project')}
      from old
     where project.user_id = ${userId} and project.id = old.id and old.differs
    returning project.*, old.differs
  ), ${appendEvents([updated], { plan: true })}
  select missing, case when project.id is not null then ${one({ ...project, space })}::text end as json
    from checked, projects known left join ${writtenOrOld('project')} on true
   where known.user_id = ${userId} and known.id = ${id}`,
)

const archive = deleteReturning(
  'projects.archive',
  sql`
  with old as (
    select * from projects where user_id = ${userId} and id = ${id} for no key update
  ), project as (
    update projects project
       set archived = true, ${setUpdatedAt('project')}
      from old
     where project.user_id = ${userId} and project.id = old.id and not old.archived
    returning project.*
  ), ${appendEvents([updated], { plan: true })}
  select id from old`,
)

const inIt = 'project_id in (select id from old)'
const documents = detachReferences(documentRecord, 'project_id', inIt)
const tasks = detachReferences(taskRecord, 'project_id', inIt)

const remove = deleteReturning(
  'projects.delete',
  sql`
  with old as (
    select id from projects where user_id = ${userId} and id = ${id} for update
  ), ${documents.ctes}, ${tasks.ctes}, gone as (
    delete from projects where user_id = ${userId} and id in (select id from old) returning *
  ), ${appendEvents(
    [{ ...projectRecord, type: 'project.deleted', before: 'gone' }, documents.change, tasks.change],
    { plan: true },
  )}
  select id from gone`,
)

export const listProjects = (db: Db, userId: string, { spaceId }: ProjectFilter) =>
  spaceId ? listInSpace(db, { userId, spaceId }) : list(db, { userId })

export async function findProject(db: Db, userId: string, id: string) {
  const found = await find(db, { userId, id })
  if (!found) throw projectNotFound()
  return found
}

export const createProject = (db: Db, userId: string, given: NewProject) =>
  insert(db, {
    userId,
    id: newId(),
    name: given.name,
    description: given.description,
    color: given.color,
    icon: given.icon,
    spaceId: given.spaceId,
    priority: given.priority,
    targetDate: given.targetDate,
    autoSchedule: given.autoSchedule,
  })

export async function updateProject(
  db: Db,
  userId: string,
  id: string,
  changes: ProjectChanges & Partial<DefaultScheduleChanges>,
) {
  const updated = await update(db, { userId, id, changes })
  if (!updated) throw projectNotFound()
  return updated
}

/** Archives a project, or deletes it; its tasks and documents stay. */
export async function deleteProject(db: Db, userId: string, id: string, forGood: boolean) {
  const existed = forGood ? await remove(db, { userId, id }) : await archive(db, { userId, id })
  if (!existed) throw projectNotFound()
}
