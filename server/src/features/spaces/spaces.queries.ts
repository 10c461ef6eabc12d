import type {
  DefaultScheduleChanges,
  ListedSpace,
  NewSpace,
  Space,
  SpaceChanges,
} from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents, detachReferences } from '../../platform/db/append-events.ts'
import { firstMissing } from '../../platform/db/check-references.ts'
import { differsBy, many, object, setUpdatedAt, writtenOrOld } from '../../platform/db/fragments.ts'
import { jsonByColumn, sql, text, userId, uuid } from '../../platform/db/sql.ts'
import { queryJson, queryRows, updateReturningJson } from '../../platform/db/statement.ts'
import { documentRecord } from '../documents/document-json.ts'
import { badRequest, notFound } from '../../platform/errors.ts'
import { projectRecord } from '../projects/project-json.ts'
import { taskRecord } from '../tasks/task-json.ts'
import { space, spaceRecord } from './space-json.ts'

const spaceNotFound = () => notFound('Space not found')

const list = queryJson<ListedSpace[]>()(
  'spaces.list',
  sql`
  select ${many(
    {
      ...space,
      projects: many(
        {
          id: 'project.id',
          name: 'project.name',
          color: 'project.color',
          _count: object({
            tasks: sql`(select count(*) from tasks
                      where tasks.user_id = ${userId} and tasks.project_id = project.id)`,
          }),
        },
        sql`from projects project
        where project.user_id = ${userId} and project.space_id = space.id and not project.archived
        order by project.sort_order, project.id`,
      ),
      _count: object({
        tasks: sql`(select count(*) from tasks
                  where tasks.user_id = ${userId} and tasks.space_id = space.id)`,
        documents: sql`(select count(*) from documents
                      where documents.user_id = ${userId} and documents.space_id = space.id)`,
      }),
    },
    sql`from spaces space
    where space.user_id = ${userId}
    order by space.sort_order, space.created_at, space.id`,
  )}::text as json`,
)

const insert = queryJson<Space>()(
  'spaces.insert',
  sql`
  with space as (
    insert into spaces (user_id, id, name, color, icon)
    values (${userId}, ${uuid('id')}, ${text('name')}, coalesce(${text.orNull('color')}, '#6B7280'), coalesce(${text.orNull('icon')}, 'folder'))
    returning *
  ), ${appendEvents([{ ...spaceRecord, type: 'space.created', after: 'space' }])}
  select ${object(space)}::text as json from space`,
)

const changes = jsonByColumn('changes')
const id = uuid('id')
const update = updateReturningJson<Space>()(
  'spaces.update',
  sql`
  with given as (
    select schedule_preference_id from jsonb_populate_record(null::spaces, ${changes})
  ), checked as (
    select ${firstMissing(['schedulePreferenceId'])} as missing from given
  ), old as (
    select old.*, ${differsBy(changes)}
      from spaces old, checked
     where old.user_id = ${userId} and old.id = ${id} and missing is null
       for no key update of old
  ), space as (
    update spaces space
       set (name, color, icon, sort_order, schedule_preference_id) =
           (select name, color, icon, sort_order, schedule_preference_id
              from jsonb_populate_record(space, ${changes})),
           ${setUpdatedAt('space')}
      from old
     where space.user_id = ${userId} and space.id = old.id and old.differs
    returning space.*, old.differs
  ), ${appendEvents([{ ...spaceRecord, type: 'space.updated', before: 'old', after: 'space' }], {
    plan: true,
  })}
  select missing, case when space.id is not null then ${object(space)}::text end as json
    from checked, spaces known left join ${writtenOrOld('space')} on true
   where known.user_id = ${userId} and known.id = ${id}`,
)

// What is in the space stays, without a space. The default space and its contents are not changed.
const inIt = 'space_id in (select id from leaving)'
const projects = detachReferences(projectRecord, 'space_id', inIt)
const documents = detachReferences(documentRecord, 'space_id', inIt)
const tasks = detachReferences(taskRecord, 'space_id', inIt)

const remove = queryRows<{ is_default: boolean }>()(
  'spaces.delete',
  sql`
  with space as (
    select id, is_default from spaces where user_id = ${userId} and id = ${id} for update
  ), leaving as (
    select id from space where not is_default
  ), ${projects.ctes}, ${documents.ctes}, ${tasks.ctes}, gone as (
    delete from spaces where user_id = ${userId} and id in (select id from leaving) returning *
  ), ${appendEvents(
    [
      { ...spaceRecord, type: 'space.deleted', before: 'gone' },
      projects.change,
      documents.change,
      tasks.change,
    ],
    { plan: true },
  )}
  select is_default from space`,
)

export const listSpaces = (db: Db, userId: string) => list(db, { userId })

export const createSpace = (db: Db, userId: string, { name, color, icon }: NewSpace) =>
  insert(db, { userId, id: newId(), name, color, icon })

export async function updateSpace(
  db: Db,
  userId: string,
  id: string,
  changes: SpaceChanges & Partial<DefaultScheduleChanges>,
) {
  const updated = await update(db, { userId, id, changes })
  if (!updated) throw spaceNotFound()
  return updated
}

export async function deleteSpace(db: Db, userId: string, id: string) {
  const [space] = await remove(db, { userId, id })
  if (!space) throw spaceNotFound()
  if (space.is_default) throw badRequest('Cannot delete default space')
}
