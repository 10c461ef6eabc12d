import type { Names } from '@daywright/quick-add'
import type { Db } from '../../platform/db/database.ts'
import { many } from '../../platform/db/fragments.ts'
import { raw, sql, texts, userId } from '../../platform/db/sql.ts'
import { assertRow, queryRows } from '../../platform/db/statement.ts'

const hasInitial = (table: string) =>
  sql`left(ltrim(${raw(table)}.name), 1) = any(${texts('initials')}::text[])`

const list = queryRows<Names>()(
  'quick-add.names',
  sql`
  select ${many(
    { id: 'space.id', name: 'space.name' },
    sql`from spaces space
    where space.user_id = ${userId} and ${hasInitial('space')}
    order by space.sort_order, space.created_at, space.id`,
  )} as spaces,
         ${many(
           { id: 'project.id', name: 'project.name', spaceId: 'project.space_id' },
           sql`from projects project
    where project.user_id = ${userId} and not project.archived and ${hasInitial('project')}
    order by project.sort_order, project.id`,
         )} as projects,
         ${many(
           { id: 'label.id', name: 'label.name' },
           sql`from labels label
    where label.user_id = ${userId} and ${hasInitial('label')}
    order by label.name`,
         )} as labels`,
)

/** The names with these first letters, in the order of the user's lists. */
export async function listNames(db: Db, userId: string, initials: string[]) {
  const [names] = await list(db, { userId, initials })
  return assertRow('quick-add.names', names)
}
