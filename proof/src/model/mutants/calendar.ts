// Faults in the calendar: preferences, blocks, plans and their reports.
import { fault } from './mutant.ts'

const preferences = fault('preferences', 'contract/src/schedule-preferences.ts')
const blocks = fault('blocks', 'server/src/time-blocks/time-blocks.queries.ts')
const reorder = fault('reorder', 'server/src/time-blocks/time-blocks.queries.ts')
const notes = fault('notifications', 'server/src/notifications/notifications.queries.ts')
const summary = fault('notifications', 'server/src/notifications/write-morning-summary.ts')
const problem = fault('plans', 'server/src/planner/problem.queries.ts')
const undo = fault('planner', 'server/src/planner/undo-run.ts')

export const calendar = [
  fault('preferences', 'server/src/schedule-preferences/schedule-preferences.queries.ts')(
    'the lowest comes first',
    'order by preference.priority desc',
    'order by preference.priority',
  ),
  preferences('a window may be empty', 'start < end', 'start <= end'),
  preferences('a change may change nothing', 'Object.keys(changes).length > 0', 'Boolean(changes)'),
  blocks(
    'cancelled ones are listed',
    `block.start_at < $3
      and block.status <> 'cancelled'`,
    'block.start_at < $3',
  ),
  blocks('cancelled again, it counts anew', 'coalesce(block.cancelled_at, $4)', '$4::timestamptz'),
  fault('planner', 'server/src/time-blocks/time-blocks.queries.ts')(
    "what is dragged stays the planner's",
    "when $3::jsonb ?| array['start_at', 'end_at'] then 'manual'",
    '',
  ),
  reorder(
    'some move though one is missing',
    'and (select count(*) from old) = cardinality($2::uuid[])',
    '',
  ),
  reorder(
    'places count from one',
    'set sort_order = place.number - 1',
    'set sort_order = place.number',
  ),
  notes('an alert covers for a day', "interval '6 hours'", "interval '24 hours'"),
  notes(
    'what is read is marked again',
    'where user_id = $1 and not read order by id',
    'where user_id = $1 order by id',
  ),
  {
    name: "notifications: another's can be marked",
    control: 'notifications',
    edits: [
      {
        file: 'server/src/notifications/notifications.queries.ts',
        find: 'from notifications old where user_id = $1 and id = $2',
        replace: 'from notifications old where $1::uuid is not null and id = $2',
      },
      {
        file: 'server/src/notifications/notifications.queries.ts',
        find: 'where notification.user_id = $1 and notification.id = old.id and not old.read',
        replace: 'where notification.id = old.id and not old.read',
      },
    ],
  },
  summary('a day has many', 'once: day.date,', ''),
  summary('the day is that of Greenwich', 'localDay(now, timezone)', "localDay(now, 'UTC')"),
  problem(
    "a project's setting is ignored",
    'task.auto_schedule and coalesce(project.auto_schedule, true)',
    'task.auto_schedule',
  ),
  problem('a locked task is moved', "locked: 'task.locked'", "locked: 'false'"),
  problem(
    'nothing waits for anything',
    'where link.user_id = $1',
    'where link.user_id = $1 and false',
  ),
  problem('preferences are ignored', "windows: 'preference.windows'", "windows: 'null::jsonb'"),
  fault('plans', 'server/src/planner/retention.queries.ts')(
    'archived counts from the last edit',
    "status = 'archived' and archived_at < $2",
    "status = 'archived' and updated_at < $2",
  ),
  fault('planner', 'server/src/planner/run-planner.ts')(
    'a preview is carried out',
    'await insertRun(transaction, userId, runId, solved, now)',
    `await changePlan(transaction, userId, { runId, ...solved.changes }, now)
    await insertRun(transaction, userId, runId, solved, now)`,
  ),
  fault('planner', 'server/src/planner/apply-run.ts')(
    'an old preview is applied',
    '!run.plan || hash !== run.input_hash',
    '!run.plan',
  ),
  fault('planner', 'server/src/planner/change-plan.queries.ts')(
    'the cancelling run is not stored',
    'cancelled_by_run = $4',
    'cancelled_by_run = nullif($4::uuid, $4::uuid)',
  ),
  fault('planner', 'server/src/planner/planner.queries.ts')(
    'what is over is still to come',
    ' and ${row}.end_at > ${now}',
    '',
  ),
  fault('planner', 'server/src/planner/summarize.ts')(
    'tasks are counted, not blocks',
    'tasksScheduled: create.length',
    'tasksScheduled: new Set(create.map(({ taskId }) => taskId)).size',
  ),
  undo(
    'any run can be undone',
    "if (!run.is_last) throw conflict('Only the last run can be undone')",
    '',
  ),
  undo('it restores over other blocks', "other.status <> 'cancelled'", 'false'),
]
