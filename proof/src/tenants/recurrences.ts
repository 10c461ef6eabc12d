// The recurrences of both people: one with open, missed, deleted and past occurrences, one after completion, one that
// is deleted, and one that follows the first.
import { deleteRecurrence } from '../../../server/src/features/recurrences/change-recurrences.ts'
import { adoptTask } from '../../../server/src/features/recurrences/occurrences.queries.ts'
import { settleRecurrences } from '../../../server/src/features/recurrences/settle-recurrences.ts'
import type { Database } from '../../../server/src/platform/db/database.ts'
import { ada, adasMark, grace, id } from './ids.ts'

const template = (mark: string) =>
  JSON.stringify({
    title: mark,
    description: '',
    priority: 'none',
    estimateMinutes: 30,
    minSessionMinutes: 5,
    maxSessionMinutes: 60,
    cooldownMinutes: 5,
    autoSchedule: false,
    autoSplit: true,
    spaceId: id(1, 1),
    projectId: id(2, 1),
    schedulePreferenceId: id(4, 1),
    labelIds: [id(3, 1)],
  })

const recurrence = (user: string, mark: string, number: number, given: Record<string, string>) => {
  const row = {
    user_id: `'${user}'`,
    id: `'${id(17, number)}'`,
    kind: `'calendar'`,
    rule: `'FREQ=WEEKLY;BYDAY=FR'`,
    starts_on: `'2026-01-02'`,
    start_time: `'00:00'`,
    lead_days: '0',
    missed: `'lapse'`,
    task: `'${template(mark)}'`,
    checklist: `'["${mark}"]'`,
    words: `'every Friday'`,
    settled_to: `'2026-02-20'`,
    occurrence_count: '5',
    zone: `'UTC'`,
    created_at: `'2026-01-01'`,
    updated_at: `'2026-01-01'`,
    ...given,
  }
  return `insert into recurrences (${Object.keys(row).join()}) values (${Object.values(row).join()});`
}

/** An occurrence and its task; without a task number, the task was deleted. */
const occurrence = (
  user: string,
  mark: string,
  [of, day, task, state, status, due]: [number, string, number | null, string, string, string],
) => `
  ${
    task === null
      ? ''
      : `insert into tasks (user_id, id, title, status, due_at, archived_at, updated_at, auto_schedule)
         values ('${user}', '${id(6, task)}', '${mark}', '${status}', '${due}',
                 ${status === 'archived' ? `'2026-02-20'` : 'null'}, '2026-02-01', false);`
  }
  insert into occurrences (user_id, recurrence_id, on_day, nth, task_id, state, task_stamp, created_at)
  values ('${user}', '${id(17, of)}', '${day}', 1, ${task === null ? 'null' : `'${id(6, task)}'`}, '${state}',
          '2026-02-01', '2026-01-01');`

export const recurrences = (user: string, mark: string) => `
  ${recurrence(user, mark, 1, {})}
  ${recurrence(user, mark, 2, { kind: `'completion'`, rule: `'FREQ=DAILY;INTERVAL=3'` })}
  ${recurrence(user, mark, 3, { deleted_at: `'2026-02-20'` })}
  ${recurrence(user, mark, 4, { follows: `'${id(17, 1)}'`, paused_at: `'2026-02-21'`, starts_on: `'2026-02-06'` })}
  ${recurrence(user, mark, 5, { deleted_at: `'2025-02-20'` })}
  ${[
    [1, '2024-01-05', null, 'lapsed', '', ''] as const,
    // Old enough to be trimmed by Ada's settled day, but not by Grace's.
    [1, '2025-01-17', null, 'lapsed', '', ''] as const,
    [1, '2026-02-13', 80, 'made', 'completed', '2026-02-13T23:59Z'] as const,
    [1, '2026-02-27', 81, 'made', 'todo', '2026-02-27T23:59Z'] as const,
    [1, '2026-03-06', 82, 'made', 'todo', '2026-03-06T23:59Z'] as const,
    [1, '2026-03-13', 83, 'made', 'archived', '2026-03-13T23:59Z'] as const,
    [2, '2026-02-19', 84, 'made', 'completed', '2026-02-19T23:59Z'] as const,
    [3, '2026-02-20', 85, 'made', 'archived', '2026-02-20T23:59Z'] as const,
    [4, '2026-03-06', 86, 'made', 'todo', '2026-03-06T23:59Z'] as const,
  ]
    .map((each) => occurrence(user, mark, [...each]))
    .join('')}
  update tasks set auto_schedule = true, estimate_minutes = 30 where user_id = '${user}' and id = '${id(6, 82)}';
  update occurrences set former_task = task_id where user_id = '${user}' and recurrence_id = '${id(17, 3)}';
  insert into occurrences (user_id, recurrence_id, on_day, nth, former_task, state)
  values ('${user}', '${id(17, 4)}', '2026-02-13', 1, '${id(6, 50)}', 'skipped'),
         ('${user}', '${id(17, 4)}', '2026-02-06', 1, null, 'skipped');`

/** Makes Grace's recurrences due for the worker. */
export const gracesState = `
  update user_state set recurrences_at = '2026-03-02T07:00Z' where user_id = '${grace}';`

/** What Grace does not have: another zone, and rows that would be counted or found with hers. */
export const adasRecurrences = `
  update user_state set recurrences_at = '2026-03-02T07:00Z', recurrences_event = 1000000 where user_id = '${ada}';
  update recurrences set zone = 'Pacific/Pago_Pago', words = '${adasMark}', settled_to = '2026-02-26'
   where user_id = '${ada}';
  update recurrences set deleted_at = null where user_id = '${ada}' and id = '${id(17, 3)}';
  update recurrences set deleted_at = '2026-02-20' where user_id = '${ada}' and id = '${id(17, 2)}';
  update occurrences set state = 'lapsed' where user_id = '${ada}' and on_day = '2026-02-27';
  update tasks set due_at = due_at + interval '1 day'
   where user_id = '${ada}' and id in (select task_id from occurrences where user_id = '${ada}');
  update tasks set status = 'todo' where user_id = '${ada}' and id = '${id(6, 84)}';
  -- Done today, so that the next occurrence of Ada's series is not planned for today; Grace's may be.
  update tasks set status = 'completed', completed_at = '2026-03-02T07:00Z'
   where user_id = '${ada}' and id = '${id(6, 81)}';
  -- In Grace's data, the first row's task does not recur, and only the following series has the second row's day.
  insert into occurrences (user_id, recurrence_id, on_day, nth, task_id, state) values
    ('${ada}', '${id(17, 1)}', '2026-03-27', 1, '${id(6, 12)}', 'made'),
    ('${ada}', '${id(17, 1)}', '2026-02-06', 1, null, 'lapsed');
  -- Grace has neither begun this occurrence nor placed it in the calendar herself.
  insert into checklist_items (user_id, id, task_id, title, completed)
  values ('${ada}', '${id(7, 0x200)}', '${id(6, 82)}', '${adasMark}', true);
  insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at)
  values ('${ada}', '${id(8, 0x202)}', '${id(6, 82)}', '${adasMark}', 'manual', '2026-03-05T14:00Z', '2026-03-05T14:30Z');
  insert into occurrences (user_id, recurrence_id, on_day, nth, state)
  select '${ada}', id, '2026-03-20', 1, 'lapsed' from recurrences where user_id = '${ada}';
  insert into recurrences (user_id, id, kind, rule, starts_on, start_time, lead_days, missed, task, checklist, words,
                           settled_to, zone)
  select '${ada}', ('00000011-0000-7000-8000-000000000' || (100 + n))::uuid, 'calendar', 'FREQ=DAILY', '2026-01-01',
         '00:00', 0, 'lapse', '${template(adasMark)}', '[]', '${adasMark}', '2026-03-01', 'UTC'
    from generate_series(1, 200) n;`

/** One revertible change of each kind. */
export const recurrencesTold = [
  ['recurrence.updated', id(17, 1), { leadDays: 1 }, { leadDays: 0 }],
  ['recurrence.created', id(17, 4), null, { id: id(17, 4), kind: 'calendar' }],
  ['recurrence.deleted', id(17, 3), { id: id(17, 3) }, null],
  // Deleted in Ada's data as well.
  ['recurrence.deleted', id(17, 5), { id: id(17, 5) }, null],
] as [string, string, object | null, object | null][]

/** Settles the recurrences in another time zone, now and four weeks later. */
export async function settleLater(db: Database) {
  await db.query(`update users set timezone = 'Asia/Tokyo' where id = '${grace}'`)
  await plan(db, 81)
  const system = db.as({ kind: 'system' })
  const settle = (at: string) => settleRecurrences(system, grace, new Date(at)).catch(String)
  const first = await settle('2026-03-02T08:00:00Z')
  return `${first} ${await settle('2026-03-30T08:00:00Z')}`
}

/** Deletes a recurrence with an open occurrence that is planned. */
export async function deletePlanned(db: Database) {
  await plan(db, 82)
  await deleteRecurrence(db, grace, id(17, 1), {}, new Date('2026-03-02T08:00:00Z'))
}

/** Places this occurrence in a planner block whose id Ada has as well. */
const plan = (db: Database, task: number) =>
  db.query(`update time_blocks set task_id = '${id(6, task)}'
             where user_id = '${grace}' and id = '${id(8, 2)}'`)

/** Adopts a task into a series whose id Ada has as well; a new series would have a unique id. */
export const adopt = (db: Database) =>
  adoptTask(db, {
    userId: grace,
    occurrence: { recurrenceId: id(17, 1), day: '2026-03-27', nth: 1, taskId: id(6, 12) },
  })

/**
 * Keeps the worker from settling the recurrences. The tasks that it would create have different ids in each world,
 * which changes the hash of a run's input, and their events would count as history.
 */
export const putOff = (db: Database) =>
  db.query(`update user_state set recurrences_at = '2026-03-09', recurrences_event = 1000000
             where user_id = '${grace}'`)
