import type { DefaultScheduleChanges, DefaultSchedules } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { many, object } from '../../platform/db/fragments.ts'
import { sql, userId } from '../../platform/db/sql.ts'
import { queryJson } from '../../platform/db/statement.ts'
import { updateProject } from '../projects/projects.queries.ts'
import { updateSpace } from '../spaces/spaces.queries.ts'

const schedulePreferenceId = 'schedule_preference_id'

const list = queryJson<DefaultSchedules>()(
  'default-schedules.list',
  sql`
  select ${object({
    spaces: many(
      { spaceId: 'id', schedulePreferenceId },
      sql`from spaces
    where user_id = ${userId} and schedule_preference_id is not null
    order by id`,
    ),
    projects: many(
      { projectId: 'id', schedulePreferenceId },
      sql`from projects
    where user_id = ${userId} and schedule_preference_id is not null
    order by id`,
    ),
  })}::text as json`,
)

export const listDefaultSchedules = (db: Db, userId: string) => list(db, { userId })

/** `schedulePreferenceId` belongs to the row, but not to the body, of a space or a project. */
const setWith =
  (
    update: (
      db: Db,
      userId: string,
      id: string,
      change: DefaultScheduleChanges,
    ) => Promise<unknown>,
  ) =>
  async (db: Db, userId: string, id: string, { schedulePreferenceId }: DefaultScheduleChanges) => {
    await update(db, userId, id, { schedulePreferenceId })
    return { schedulePreferenceId: schedulePreferenceId?.toLowerCase() ?? null }
  }

export const setDefaultScheduleOfSpace = setWith(updateSpace)
export const setDefaultScheduleOfProject = setWith(updateProject)
