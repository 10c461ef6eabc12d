import type { Db } from '../../platform/db/database.ts'
import { many } from '../../platform/db/fragments.ts'
import { sql, timestamp, userId } from '../../platform/db/sql.ts'
import { assertRow, queryRows } from '../../platform/db/statement.ts'
import { findTimezone } from '../user/user.queries.ts'
import { clock, dayName, daysAfter, localDay } from './local-time.ts'
import { writeNote } from './notifications.queries.ts'
import { titleOfBlock } from '../time-blocks/time-block-json.ts'
import { stillToCome } from '../planner/planner.queries.ts'

/** Further tasks are counted in the title, but not named. */
const namedAtMost = 100

const now = timestamp('now')

/** Tasks of which the last run left minutes over, and whose blocks still do not cover the estimate. */
const leftOver = sql`
  task.auto_schedule and task.due_at <= ${timestamp('horizon')}
  and task.id in (select jsonb_array_elements_text(run.summary #> '{result,unscheduledTaskIds}')::uuid
                    from (select summary
                            from planner_runs
                           where user_id = ${userId} and state = 'applied'
                           order by created_at desc, id desc
                           limit 1) run)
  and not exists (select from projects project
                   where project.user_id = ${userId} and project.id = task.project_id
                     and not project.auto_schedule)
  and coalesce(task.estimate_minutes,
               (select assumed_minutes from user_settings where user_id = ${userId})) * interval '1 minute'
      > (select coalesce(sum(upper(part) - lower(part)), interval '0')
           from unnest((select range_agg(tstzrange(block.start_at, block.end_at))
                          from time_blocks block
                         where block.user_id = ${userId} and block.task_id = task.id
                           and block.status <> 'cancelled')) part)`

// At risk as the planner defines it: overdue, or the planned work ends after the due date, or some of it does not fit
// into the next 14 days, in which it is due. The first two hold for tasks that the planner does not plan as well. Unless
// the task is overdue, its late work has not ended yet, so the calendar's index finds it.
const atRiskTasks = sql`
    from tasks task
   where task.user_id = ${userId} and task.status < 'completed'
     and (task.due_at < ${now}::timestamptz
          or ${leftOver}
          or exists (select from time_blocks block
                      where block.user_id = ${userId} and block.task_id = task.id
                        and block.status <> 'cancelled' and block.end_at > task.due_at
                        and ${stillToCome('block', now)}))
   order by task.due_at, task.id`

// Both lists from one snapshot: a block that is just being planned is in both or in neither.
const outlook = queryRows<{
  planned: { id: string; title: string; start_at: string; end_at: string }[]
  at_risk: { id: string; title: string; due_at: string }[]
}>()(
  'notifications.outlook',
  sql`
  select ${many(
    { id: 'block.id', title: titleOfBlock, start_at: 'block.start_at', end_at: 'block.end_at' },
    sql`from time_blocks block
    where block.user_id = ${userId} and block.start_at >= ${timestamp('start')}
      and block.start_at < ${timestamp('end')} and block.status <> 'cancelled'
    order by block.start_at, block.id`,
  )} as planned,
         ${many(
           { id: 'task.id', title: 'task.title', due_at: 'task.due_at' },
           atRiskTasks,
         )} as at_risk`,
)

/** Writes one summary of the user's day: what is planned, and what is at risk. Idempotent. */
export async function writeMorningSummary(db: Db, userId: string, now: Date) {
  const timezone = await findTimezone(db, userId)
  const day = localDay(now, timezone)
  const horizon = daysAfter(now, 14, timezone)
  const [found] = await outlook(db, { userId, start: day.start, end: day.end, now, horizon })
  const { planned, at_risk: atRisk } = assertRow('notifications.outlook', found)

  const named = atRisk.slice(0, namedAtMost)

  const at = (time: string) => clock(new Date(time), timezone)
  const lines = [
    ...planned.map((block) => `${at(block.start_at)}–${at(block.end_at)} ${block.title}`),
    ...named.map(
      (task) => `At risk: ${task.title}, due ${dayName(new Date(task.due_at), timezone)}`,
    ),
    ...(atRisk.length > namedAtMost ? [`At risk: ${atRisk.length - namedAtMost} more`] : []),
  ]
  await writeNote(
    db,
    userId,
    {
      type: 'morning_summary',
      title: `${count(planned.length, 'block')} planned today, ${count(atRisk.length, 'task')} at risk`,
      body: lines.join('\n') || 'Nothing is planned for today.',
      metadata: {
        date: day.date,
        blocks: planned.length,
        blockIds: planned.map(({ id }) => id),
        atRiskTaskIds: named.map(({ id }) => id),
      },
      once: day.date,
    },
    now,
  )
  return 1
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
