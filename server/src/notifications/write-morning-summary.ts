import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
import { findTimezone } from '../user/user.queries.ts'
import { clock, dayName, localDay } from './local-time.ts'
import { findAtRiskTasks, writeNote } from './notifications.queries.ts'

const blocks = selecting<{ id: string; title: string; start_at: Date; end_at: Date }>(
  'notifications.blocks-of-day',
  `
  select id, title, start_at, end_at
    from time_blocks
   where user_id = $1 and start_at >= $2 and start_at < $3 and status <> 'cancelled'
   order by start_at, id`,
)

/** One summary for the user's day: what is planned, and what is at risk. A second one adds nothing. */
export async function writeMorningSummary(db: Db, userId: string, now: Date) {
  const timezone = await findTimezone(db, userId)
  const day = localDay(now, timezone)
  const planned = await blocks(db, userId, day.start.toISOString(), day.end.toISOString())
  const atRisk = await findAtRiskTasks(db, userId, now)

  const lines = [
    ...planned.map(
      (block) =>
        `${clock(block.start_at, timezone)}–${clock(block.end_at, timezone)} ${block.title}`,
    ),
    ...atRisk.map((task) => `At risk: ${task.title}, due ${dayName(task.due_at, timezone)}`),
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
        atRiskTaskIds: atRisk.map(({ id }) => id),
      },
      once: day.date,
    },
    now,
  )
  return 1
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
