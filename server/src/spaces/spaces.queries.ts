import type { ListedSpace, NewSpace, Space, SpaceChanges } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { detaching, recording } from '../db/recording.ts'
import {
  answering,
  asItIs,
  columns,
  differs,
  finding,
  many,
  object,
  selecting,
  touchedOf,
} from '../db/statement.ts'
import { documentRecord } from '../documents/document-json.ts'
import { badRequest, notFound } from '../errors.ts'
import { projectRecord } from '../projects/project-json.ts'
import { taskRecord } from '../tasks/task-json.ts'
import { space, spaceRecord } from './space-json.ts'

const spaceNotFound = () => notFound('Space not found')

const list = answering<ListedSpace[]>(
  'spaces.list',
  `
  select ${many(
    {
      ...space,
      projects: many(
        {
          id: 'project.id',
          name: 'project.name',
          color: 'project.color',
          _count: object({
            tasks: `(select count(*) from tasks
                      where tasks.user_id = $1 and tasks.project_id = project.id)`,
          }),
        },
        `from projects project
        where project.user_id = $1 and project.space_id = space.id and not project.archived
        order by project.sort_order, project.id`,
      ),
      _count: object({
        tasks: `(select count(*) from tasks
                  where tasks.user_id = $1 and tasks.space_id = space.id)`,
        documents: `(select count(*) from documents
                      where documents.user_id = $1 and documents.space_id = space.id)`,
      }),
    },
    `from spaces space
    where space.user_id = $1
    order by space.sort_order, space.created_at, space.id`,
  )}::text as json`,
)

const insert = answering<Space>(
  'spaces.insert',
  `
  with space as (
    insert into spaces (user_id, id, name, color, icon)
    values ($1, $2, $3, coalesce($4, '#6B7280'), coalesce($5, 'folder'))
    returning *
  ), ${recording([{ ...spaceRecord, type: 'space.created', after: 'space' }])}
  select ${object(space)}::text as json from space`,
)

const update = finding<Space>(
  'spaces.update',
  `
  with old as (
    select old.*, ${differs()} from spaces old where user_id = $1 and id = $2 for no key update
  ), space as (
    update spaces space
       set (name, color, icon, sort_order) =
           (select name, color, icon, sort_order from jsonb_populate_record(space, $3)),
           ${touchedOf('space')}
      from old
     where space.user_id = $1 and space.id = old.id and old.differs
    returning space.*, old.differs
  ), ${recording([{ ...spaceRecord, type: 'space.updated', before: 'old', after: 'space' }])}
  select ${object(space)}::text as json from ${asItIs('space')}`,
)

// What is in the space stays, without a space. The default space and its contents are not changed.
const inIt = 'space_id in (select id from leaving)'
const projects = detaching(projectRecord, 'space_id', inIt)
const documents = detaching(documentRecord, 'space_id', inIt)
const tasks = detaching(taskRecord, 'space_id', inIt)

const remove = selecting<{ is_default: boolean }>(
  'spaces.delete',
  `
  with space as (
    select id, is_default from spaces where user_id = $1 and id = $2 for update
  ), leaving as (
    select id from space where not is_default
  ), ${projects.ctes}, ${documents.ctes}, ${tasks.ctes}, gone as (
    delete from spaces where user_id = $1 and id in (select id from leaving) returning *
  ), ${recording([
    { ...spaceRecord, type: 'space.deleted', before: 'gone' },
    projects.change,
    documents.change,
    tasks.change,
  ])}
  select is_default from space`,
)

export const listSpaces = (db: Db, userId: string) => list(db, userId)

export const createSpace = (db: Db, userId: string, { name, color, icon }: NewSpace) =>
  insert(db, userId, newId(), name, color, icon)

export async function updateSpace(db: Db, userId: string, id: string, changes: SpaceChanges) {
  const updated = await update(db, userId, id, columns(changes))
  if (!updated) throw spaceNotFound()
  return updated
}

export async function deleteSpace(db: Db, userId: string, id: string) {
  const [space] = await remove(db, userId, id)
  if (!space) throw spaceNotFound()
  if (space.is_default) throw badRequest('Cannot delete default space')
}
