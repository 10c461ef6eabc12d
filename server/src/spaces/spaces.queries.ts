import type { ListedSpace, NewSpace, Space, SpaceChanges } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import {
  answering,
  columns,
  finding,
  iso,
  many,
  object,
  selecting,
  touched,
} from '../db/statement.ts'
import { badRequest, notFound } from '../errors.ts'

const spaceNotFound = () => notFound('Space not found')

const space = {
  id: 'space.id',
  userId: 'space.user_id',
  name: 'space.name',
  color: 'space.color',
  icon: 'space.icon',
  isDefault: 'space.is_default',
  sortOrder: 'space.sort_order',
  createdAt: iso('space.created_at'),
  updatedAt: iso('space.updated_at'),
}

/** A space, as the records in it show it. */
export const spaceSummary = {
  id: 'space.id',
  name: 'space.name',
  color: 'space.color',
  icon: 'space.icon',
}

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
  insert into spaces as space (user_id, id, name, color, icon)
  values ($1, $2, $3, coalesce($4, '#6B7280'), coalesce($5, 'folder'))
  returning ${object(space)}::text as json`,
)

const update = finding<Space>(
  'spaces.update',
  `
  update spaces space
     set (name, color, icon, sort_order) =
         (select name, color, icon, sort_order from jsonb_populate_record(space, $3)),
         ${touched}
   where user_id = $1 and id = $2
  returning ${object(space)}::text as json`,
)

// What is in the space stays, in no space. The default space, and what is in it, stays as it is.
const remove = selecting<{ is_default: boolean }>(
  'spaces.delete',
  `
  with space as (
    select id, is_default from spaces where user_id = $1 and id = $2 for update
  ), leaving as (
    select id from space where not is_default
  ), detached_tasks as (
    update tasks set space_id = null, ${touched}
     where user_id = $1 and space_id = $2 and exists (select from leaving)
  ), detached_projects as (
    update projects set space_id = null, ${touched}
     where user_id = $1 and space_id = $2 and exists (select from leaving)
  ), detached_documents as (
    update documents set space_id = null, ${touched}
     where user_id = $1 and space_id = $2 and exists (select from leaving)
  ), gone as (
    delete from spaces where user_id = $1 and id = $2 and exists (select from leaving)
  )
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
