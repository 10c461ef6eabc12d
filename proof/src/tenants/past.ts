// The history of Grace and Ada, their webhooks, and their due jobs.
import { createHash } from 'node:crypto'
import { adasConnectedAccounts } from './connected-account-rows.ts'
import { adasPlanCalendars } from './plan-calendars.ts'
import { ada, adasMark, grace, id, root } from './ids.ts'
import { recurrencesTold } from './recurrences.ts'

const dated = { createdAt: '2026-01-05T00:00:00.000Z', updatedAt: '2026-01-06T00:00:00.000Z' }
const look = { color: '#6B7280', icon: 'folder', sortOrder: 1 }

type Told = [type: string, recordId: string, before: object | null, after: object | null]

/** One revertible change of every kind, each with its own statements. */
const told = (user: string, mark: string): Told[] => [
  ['label.updated', id(3, 1), { name: 'old' }, { name: `${mark} red` }],
  [
    'label.deleted',
    id(3, 50),
    {
      id: id(3, 50),
      name: `${mark} gone`,
      color: null,
      ...dated,
      // The second task exists only in Ada's data, and the first has more labels there.
      taskIds: [id(6, 2), id(6, 100)],
    },
    null,
  ],
  [
    'space.deleted',
    id(1, 50),
    { id: id(1, 50), name: mark, ...look, isDefault: false, ...dated },
    null,
  ],
  [
    'project.deleted',
    id(2, 50),
    {
      id: id(2, 50),
      spaceId: null,
      name: mark,
      description: '',
      ...look,
      status: 'backlog',
      priority: null,
      targetDate: null,
      archived: false,
      autoSchedule: true,
      ...dated,
    },
    null,
  ],
  [
    'document.deleted',
    id(5, 50),
    {
      id: id(5, 50),
      spaceId: null,
      projectId: null,
      title: mark,
      content: { hash: hashOf('kept'), length: 4 },
      url: null,
      docType: 'note',
      sortOrder: 0,
      ...dated,
    },
    null,
  ],
  [
    'schedulePreference.deleted',
    id(4, 50),
    {
      id: id(4, 50),
      name: mark,
      windows: [{ day: [1], start: '09:00', end: '12:00' }],
      priority: 1,
      ...dated,
    },
    null,
  ],
  [
    'checklistItem.deleted',
    id(7, 50),
    { id: id(7, 50), taskId: id(6, 1), title: mark, completed: false, sortOrder: 0 },
    null,
  ],
  [
    'timeBlock.deleted',
    id(8, 50),
    {
      id: id(8, 50),
      taskId: id(6, 2),
      title: mark,
      type: 'task',
      startAt: '2026-03-06T09:00:00.000Z',
      endAt: '2026-03-06T10:00:00.000Z',
      locked: false,
      defended: false,
      source: 'manual',
      sortOrder: 0,
      status: 'scheduled',
      explanation: null,
      ...dated,
    },
    null,
  ],
  ['task.deleted', id(6, 50), deletedTask(mark), null],
  ['dependency.created', id(11, 1), null, { taskId: id(6, 1), dependsOnTaskId: id(6, 2) }],
  ['documentLink.created', id(6, 1), null, { taskId: id(6, 1), documentId: id(5, 1) }],
  ['settings.updated', user, { automatic: false }, { automatic: true }],
  ['plannerRun.applied', id(9, 1), null, { id: id(9, 1) }],
  // A text that only Ada has.
  ['document.updated', id(5, 1), { content: named(adasMark) }, { content: named(adasMark) }],
]

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const named = (text: string) => ({ hash: hashOf(text), length: text.length })

/** The text of the deleted document, and one that no event refers to any more. */
const texts = (user: string, text: string) => `
  insert into texts (user_id, hash, content, last_event) values
    ('${user}', '\\x${hashOf('kept')}', '${text}', ${first + 4}),
    ('${user}', '\\x${hashOf('old')}', '${text}', 2);`

const deletedTask = (mark: string) => ({
  id: id(6, 50),
  spaceId: null,
  projectId: null,
  parentTaskId: null,
  title: mark,
  description: '',
  status: 'todo',
  priority: 'none',
  dueAt: null,
  startAfter: null,
  completedAt: null,
  estimateMinutes: null,
  actualMinutes: null,
  minSessionMinutes: 5,
  maxSessionMinutes: 60,
  cooldownMinutes: 5,
  autoSchedule: true,
  autoSplit: true,
  schedulePreferenceId: null,
  locked: false,
  sortOrder: 0,
  ...dated,
  // The second label exists only in Ada's data.
  labelIds: [id(3, 1), id(3, 100)],
  checklistItems: [],
  dependencies: [{ taskId: id(6, 50), dependsOnTaskId: id(6, 2) }],
  documentIds: [id(5, 1)],
})

const first = 5
const json = (state: object | null) => (state ? `'${JSON.stringify(state)}'` : 'null')

const events = (user: string, all: Told[], from: number, part = 1) =>
  all
    .map(
      ([type, record, before, after], at) => `
  insert into events (user_id, seq, part, at, type, record_id, before, after, actor)
  values ('${user}', ${from + at}, ${part}, '2026-03-01T07:00Z', '${type}', '${record}', ${json(before)}, ${json(after)},
          '{"kind": "person"}');`,
    )
    .join('')

/** Webhooks 2, 4 and 5 still have all events to send; the others have none. */
const webhooks = (user: string, mark: string) => `
  insert into webhooks (user_id, id, url, types, secret, seq, part, created_at) values
    ('${user}', '${id(13, 1)}', 'https://example.com/${mark}', null, '${webhookSecret}', 40, 999999999, '2026-01-01'),
    ('${user}', '${id(13, 2)}', 'https://example.com/${mark}', '{label,task}', '${webhookSecret}', 4, 0, '2026-01-02'),
    ('${user}', '${id(13, 3)}', 'https://example.com/${mark}', null, '${webhookSecret}', 900000, 0, '2026-01-03'),
    ('${user}', '${id(13, 4)}', 'https://example.com/${mark}', '{label,task}', '${webhookSecret}', 4, 0, '2026-01-04'),
    ('${user}', '${id(13, 5)}', 'https://example.com/${mark}', '{label,task}', '${webhookSecret}', 4, 0, '2026-01-05');
  update webhooks set created_by = json_build_object('kind', 'key', 'name', '${mark}', 'id',
    case id when '${id(13, 2)}' then '${id(10, 1)}' when '${id(13, 4)}' then '${id(10, 2)}'
            else '${id(10, 0x101)}' end)
   where user_id = '${user}' and id in ('${id(13, 2)}', '${id(13, 4)}', '${id(13, 5)}');
  insert into webhook_deliveries (user_id, id, webhook_id, seq, part, type, attempt, at, status, error, duration_ms)
  values ('${user}', '${id(14, 1)}', '${id(13, 1)}', 5, 1, 'label.updated', 1, '2026-03-01T08:00Z', 200, '${mark}', 3);`
export const webhookSecret = `whsec_${Buffer.from('a secret that signs').toString('base64')}`

/** Something has changed since the last plan, a morning summary is due, and there is something to send. */
export const gracesPast = `
  insert into user_state (user_id, last_event, stale_since, due_at, automatic, has_webhooks)
  values ('${grace}', 40, '2026-03-02T07:50Z', '2026-03-02T07:50Z', true, true)
  on conflict (user_id) do update
    set last_event = 40, stale_since = excluded.stale_since, due_at = excluded.due_at,
        automatic = true, has_webhooks = true;
  update user_settings set summary_at = '07:00', deadline_alerts = true where user_id = '${grace}';
  ${events(grace, told(grace, 'Grace’s'), first)}
  ${events(grace, recurrencesTold, first, 2)}
  -- An event to be trimmed; Ada has a newer one with a lower number.
  ${events(grace, [['label.created', id(3, 1), null, { name: 'old' }]], 3)}
  update events set at = '2025-01-01' where user_id = '${grace}' and seq = 3;
  ${texts(grace, 'kept')}
  ${webhooks(grace, 'graces')}
  insert into webhooks (user_id, id, url, secret, seq, part)
  values ('${root}', '${id(13, 9)}', 'https://example.com/root', '', 0, 0);`

/** Ada's event numbers differ, and more has happened to records with the same ids. */
export const adasPast = `
  insert into user_state (user_id, last_event, due_at, automatic) values ('${ada}', 3, '2026-03-02T07:00Z', false)
  on conflict (user_id) do update
    set last_event = 3, due_at = excluded.due_at, automatic = false;
  -- More stored answers than are kept for a user.
  update user_state set answer_bytes = 1000000000000 where user_id = '${ada}';
  insert into user_settings (user_id, schedule_preference_id, missed_blocks, assumed_minutes)
  values ('${ada}', '${id(4, 1)}', 'assume-done', 45);
  update planner_runs set last_event = 30 where user_id = '${ada}' and id = '${id(9, 200)}';
  -- A change of a task after Grace's last run, and one right after Grace's last event.
  ${events(ada, [['label.created', id(3, 1), null, { name: adasMark }]], first + 14)}
  ${events(ada, [['task.updated', id(6, 2), { status: 'backlog' }, { status: 'todo' }]], 42)}
  ${events(ada, [['label.created', id(3, 1), null, { name: adasMark }]], 1)}
  ${events(ada, [['label.created', id(3, 2), null, { name: adasMark }]], 2)}
  ${events(ada, told(ada, adasMark), first)}
  ${events(ada, recurrencesTold, first, 2)}
  ${events(
    ada,
    told(ada, adasMark).map(([, record]): Told => [
      'label.updated',
      record,
      { name: adasMark },
      { name: adasMark },
    ]),
    1_000_000,
  )}
  -- An event with the number of Grace's last one, moments after it.
  ${events(ada, [['label.created', id(3, 1), null, { name: adasMark }]], 40)}
  update events set at = '2026-03-02T07:50:04Z' where user_id = '${ada}' and seq = 40;
  ${texts(ada, adasMark)}
  insert into texts (user_id, hash, content, last_event) values
    ('${ada}', '\\x${hashOf(adasMark)}', '${adasMark}', ${first + 7});
  -- An event of a document that has no event with a text in Grace's data.
  ${events(ada, [['document.updated', id(5, 2), { content: named('kept') }, { content: named('kept') }]], 41)}
  -- Texts that would be counted with Grace's.
  update tasks set description = '${adasMark}' where user_id = '${ada}';
  update projects set description = '${adasMark}' where user_id = '${ada}';
  update user_state set task_count = 77 where user_id = '${ada}';
  ${webhooks(ada, adasMark)}
  update calendars set next_fetch_at = '2026-03-01', event_count = 49999, padding_minutes = 30
   where user_id = '${ada}' and account_id is null;
  insert into calendars (user_id, id, name, color, sealed_url, host, blocks, all_day, tentative_blocks, padding_minutes)
  select '${ada}', ('0000000f-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, '${adasMark}', '#112233', '', '',
         true, 'always', true, 60
    from generate_series(1, 22) n;
  update calendar_objects set etag = '2' where user_id = '${ada}';
  ${adasPlanCalendars}
  ${adasConnectedAccounts}
  insert into calendar_objects (user_id, calendar_id, path, etag, body)
  values ('${ada}', '${id(15, 3)}', '/c/only-adas.ics', '2', '${adasMark}');
  insert into calendar_events (user_id, id, calendar_id, start_at, end_at, all_day, busy, tentative, title)
  values ('${ada}', '${id(16, 1)}', '${id(15, 1)}', '2026-03-03T01:00Z', '2026-03-03T05:00Z', false, true, false, '${adasMark}');
  update webhooks set attempts = 3 where user_id = '${ada}';
  -- The position of Grace's webhook after everything has been delivered to it.
  update webhooks set seq = ${first + 8}, part = 1 where user_id = '${ada}' and id = '${id(13, 4)}';
  update webhooks set next_at = '2099-01-01' where user_id = '${ada}' and id = '${id(13, 1)}';
  -- Rows to be trimmed.
  update events set at = '2025-01-01' where user_id = '${ada}' and seq = 1;
  insert into notifications (user_id, id, type, title, body, metadata, read, created_at)
  values ('${ada}', '${id(12, 101)}', 'at_risk_deadline', '${adasMark}', '', '{}', true, '2025-01-01');
  insert into planner_runs (user_id, id, state, planned_at, input_hash, detail, version, summary, created_at)
  values ('${ada}', '${id(9, 201)}', 'undone', '2025-01-01', '\\x00', '\\x00', '0', '{}', '2025-01-01');
  insert into webhook_deliveries (user_id, id, webhook_id, seq, part, type, attempt, at, status, error, duration_ms)
  values ('${ada}', '${id(14, 3)}', '${id(13, 1)}', 4, 1, 'label.updated', 1, '2025-01-01', 200, '${adasMark}', 3);
  -- A task that exists, while Grace's with the same id was deleted and can be restored.
  insert into tasks (user_id, id, title) values ('${ada}', '${id(6, 50)}', '${adasMark}');
  insert into task_labels (user_id, task_id, label_id) values ('${ada}', '${id(6, 50)}', '${id(3, 2)}');
  insert into webhooks (user_id, id, url, secret, seq, part)
  select '${ada}', ('0000000d-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, '${adasMark}', '', 0, 0
    from generate_series(1, 25) n;
  insert into webhook_deliveries (user_id, id, webhook_id, seq, part, type, attempt, at, status, error, duration_ms)
  values ('${ada}', '${id(14, 2)}', '${id(13, 1)}', 5, 1, 'label.updated', 1, '2026-03-01T08:00Z', 200, '${adasMark}', 3);`
