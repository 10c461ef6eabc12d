// A year of one user with 10,000 tasks among 100 others, and parameters with which every statement finds many
// rows: a label of 5,000 tasks, a project, a space and a preference of 1,000 each, 1,000 ids at a time.
import type { ClientBase } from 'pg'
import { dropForeignKeys } from './explain.ts'

/** The current time of the data set. */
const now = '2026-03-02T08:00:00Z'
const daysAgo = (days: number) => new Date(Date.parse(now) - days * 86_400_000).toISOString()

const kinds = ['user', 'space', 'project', 'label', 'task', 'document', 'notification', 'dependency',
  'preference', 'key', 'run', 'webhook', 'item', 'block', 'calendar', 'occurrence', 'feed', 'recurrence', 'plan',
  'account'] as const // prettier-ignore
type Kind = (typeof kinds)[number]

/** The ids that the SQL function `id_of` makes: the busy user is number 0. */
const id = (kind: Kind, n: number) =>
  `00000000-0000-7000-8${kinds.indexOf(kind).toString(16).padStart(3, '0')}-${n.toString(16).padStart(12, '0')}`
const idsOf = (kind: Kind, count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => id(kind, from + index))

const unused = '01980f2e-0000-7000-8000-0000000000ff'
const userId = id('user', 0)

export async function makeBusyUser(client: ClientBase) {
  const of = (kind: Kind, n: string) => `id_of(${kinds.indexOf(kind)}, person * 100000 + ${n})`
  await dropForeignKeys(client)
  await client.query(`
    create function id_of(kind int, n bigint) returns uuid immutable language sql
      return ('00000000-0000-7000-8' || lpad(to_hex(kind), 3, '0') || '-' || lpad(to_hex(n), 12, '0'))::uuid;
    create table people as
    select id_of(0, n * 100000) as user_id, n as person, case n when 0 then 1 else 100 end as share
      from generate_series(0, 100) n;

    insert into users (id, email, display_name)
    select user_id, person || '@example.com', 'Someone' from people;
    insert into spaces (user_id, id, name, is_default)
    select user_id, ${of('space', 'n')}, 'Space', n = 1 from people, generate_series(1, 3) n;
    insert into projects (user_id, id, name, space_id)
    select user_id, ${of('project', 'n')}, 'Project', ${of('space', '1 + n % 3')}
      from people, generate_series(1, 100 / share) n;
    insert into labels (user_id, id, name)
    select user_id, ${of('label', 'n')}, 'label ' || n from people, generate_series(1, 1 + 99 / share) n;
    insert into schedule_preferences (user_id, id, name, windows)
    select user_id, ${of('preference', 'n')}, 'Windows', '[{}]' from people, generate_series(1, 5) n;
    insert into tasks (user_id, id, title, status, priority, due_at, space_id, project_id,
                       schedule_preference_id, parent_task_id, estimate_minutes, archived_at, created_at)
    select user_id, ${of('task', 'n')}, 'Task', status, (enum_range(null::task_priority))[1 + n % 5],
           at, ${of('space', 'case n % 10 when 0 then 2 else 1 end')},
           ${of('project', 'case n % 10 when 0 then 1 else 1 + n % (100 / share) end')},
           case n % 10 when 0 then ${of('preference', '1')} end, case n % 10 when 0 then ${of('task', 'n - 1')} end, 30,
           case status when 'archived' then at end, at
      from (select *, '${now}'::timestamptz - n * interval '52 minutes' as at,
                   (enum_range(null::task_status))[case when n <= 600 then 1 + n % 3 else 4 + n % 3 end] as status
              from people, generate_series(1, 10000 / share) n) task;
    insert into task_labels (user_id, task_id, label_id)
    select user_id, ${of('task', 'n')}, ${of('label', 'place')}
      from people, generate_series(1, 10000 / share) n,
           unnest(array[1, 1 + n % (1 + 99 / share)]) place
     where n % 2 = 0 or place > 1
    on conflict do nothing;
    insert into checklist_items (user_id, id, task_id, title, sort_order)
    select user_id, ${of('item', 'n')}, ${of('task', '1 + n % (10000 / share)')}, 'Item', n
      from people, generate_series(1, 15000 / share) n;
    insert into planner_runs (user_id, id, state, planned_at, input_hash, detail, version, summary, created_at)
    select user_id, ${of('run', 'n')}, 'applied', '${now}', '', '', '1', '{}', '${now}'::timestamptz - n * interval '22 hours'
      from people, generate_series(1, 100 / share) n;
    insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, status, cancelled_at,
                             made_by_run, cancelled_by_run)
    select user_id, ${of('block', 'n')}, ${of('task', '1 + n % (10000 / share)')}, 'Task', 'auto', at, at + interval '1 hour',
           case when n % 8 = 0 then 'cancelled'::block_status else 'scheduled' end,
           case when n % 8 = 0 then '${now}'::timestamptz - n * interval '3 minutes' end,
           ${of('run', '1 + n / 150')}, case when n % 8 = 0 then ${of('run', '1 + n / 150')} end
      from (select *, '${now}'::timestamptz + interval '14 days' - n * interval '30 minutes' as at
              from people, generate_series(1, 15000 / share) n) block;
    insert into task_dependencies (user_id, id, task_id, depends_on_task_id)
    select user_id, ${of('dependency', 'n')}, ${of('task', 'n + 1')}, ${of('task', 'n')}
      from people, generate_series(1, 1000 / share) n where n % 5 > 0;
    insert into documents (user_id, id, title, space_id, project_id)
    select user_id, ${of('document', 'n')}, 'Document', ${of('space', '1')}, ${of('project', '1')}
      from people, generate_series(1, 200 / share) n;
    insert into task_documents (user_id, task_id, document_id)
    select user_id, ${of('task', 'n')}, ${of('document', '1 + n % (200 / share)')}
      from people, generate_series(1, 2000 / share) n;
    insert into api_keys (user_id, id, name, prefix, hash, scopes)
    select user_id, ${of('key', 'n')}, 'Key', '', sha256((person || ' ' || n)::bytea), '{}'
      from people, generate_series(1, 9) n;
    insert into idempotency_keys (user_id, key, fingerprint, created_at)
    select user_id, n::text, '', '${now}'::timestamptz - n * interval '3 minutes'
      from people, generate_series(1, 1500 / share) n;
    insert into notifications (user_id, id, type, title, body, metadata, read, created_at)
    select user_id, ${of('notification', 'n')}, 'at_risk_deadline', 'Alert', '',
           json_build_object('taskId', ${of('task', 'n')}), n > 60, '${now}'::timestamptz - n * interval '2 hours'
      from people, generate_series(1, 400 / share) n;
    insert into user_state (user_id, last_event) select user_id, 20000 / share from people;
    insert into user_settings (user_id) select user_id from people;
    insert into events (user_id, seq, part, type, record_id, before, after, actor, at)
    select user_id, n, 1, 'task.updated', ${of('task', '1 + n % (10000 / share)')}, '{}', '{}', '{}',
           '${now}'::timestamptz - (20000 / share - n) * share * interval '6.5 minutes'
      from people, generate_series(1, 20000 / share) n;
    insert into calendars (user_id, id, name, color, sealed_url, host, blocks, all_day, tentative_blocks,
                           padding_minutes, event_count)
    select user_id, ${of('calendar', 'n')}, 'Work', '#112233', '', 'example.com', true, 'marked', true, 0,
           10000 / share / 25
      from people, generate_series(1, 25) n;
    insert into calendar_events (user_id, id, calendar_id, start_at, end_at, all_day, busy, tentative, title)
    select user_id, ${of('occurrence', 'n')}, ${of('calendar', '1 + n % 25')},
           '${now}'::timestamptz + (n - 1500 / share) * share * interval '30 minutes',
           '${now}'::timestamptz + (n - 1500 / share) * share * interval '30 minutes' + interval '1 hour',
           false, true, false, 'Meeting'
      from people, generate_series(1, 10000 / share) n;
    insert into calendar_objects (user_id, calendar_id, path, etag, body)
    select user_id, ${of('calendar', '1 + n % 25')}, n::text, '"1"', repeat('x', 300)
      from people, generate_series(1, 10000 / share) n;
    insert into feeds (user_id, id, name, detail, hash)
    select user_id, ${of('feed', 'n')}, 'Plan', 'full', case n when 1 then '\\x00' else sha256((person || ' ' || n)::bytea) end
      from people, generate_series(1, 10) n;
    insert into plan_calendars (user_id, id, name, sealed_url, host, username, detail, two_way)
    select user_id, ${of('plan', 'n')}, 'Plan', 'sample', 'example.com', 'ada', 'full', true
      from people, generate_series(1, 5) n;
    insert into published_blocks (user_id, plan_calendar_id, thread, etag, fingerprint, start_at, end_at)
    select user_id, ${of('plan', '1 + n % 5')}, ${of('block', 'n')}, '"1"', '', '${now}', '${now}'
      from people, generate_series(1, 10000 / share) n;
    insert into connected_accounts (user_id, id, kind, email, sealed_tokens)
    select user_id, ${of('account', 'n')}, 'google', n::text, '' from people, generate_series(1, 10) n;
    insert into recurrences (user_id, id, kind, rule, starts_on, start_time, lead_days, missed, task, checklist,
                             words, settled_to, zone, deleted_at)
    select user_id, ${of('recurrence', 'n')}, 'calendar', 'FREQ=DAILY', '2025-03-02', '00:00', 0, 'lapse', '{}',
           '[]', '', '2026-03-01', 'UTC', case when n > 100 / share then '${now}'::timestamptz end
      from people, generate_series(1, 110 / share) n;
    insert into occurrences (user_id, recurrence_id, on_day, nth, task_id, state)
    select user_id, ${of('recurrence', '1 + n % (1 + 99 / share)')}, '2026-03-10'::date - n / (1 + 99 / share), 1,
           case when n <= 10000 / share then ${of('task', 'n')} end,
           case when n <= 1600 / share then 'made' else 'lapsed' end
      from people, generate_series(1, 30000 / share) n;
    insert into webhooks (user_id, id, url, secret, seq, part)
    select user_id, ${of('webhook', 'n')}, 'https://example.com', '', 20000 / share - 50, 1
      from people, generate_series(1, 10) n;
    insert into webhook_deliveries (user_id, id, webhook_id, seq, part, type, attempt, at, duration_ms)
    select user_id, gen_random_uuid(), ${of('webhook', '1 + n % 10')}, n, 1, 'task.updated', 1,
           '${now}'::timestamptz - n * interval '15 minutes', 1
      from people, generate_series(1, 3000 / share) n;
    analyze`)
}

const task = id('task', 2)
const ofSlice: Record<string, string> = {
  tasks: task,
  'checklist-items': id('item', 1),
  documents: id('document', 1),
  labels: id('label', 1),
  'planner-runs': id('run', 1),
  planner: id('run', 1),
  projects: id('project', 1),
  'schedule-preferences': id('preference', 1),
  spaces: id('space', 2),
  'time-blocks': id('block', 1),
  notifications: id('notification', 1),
  'api-keys': id('key', 1),
  webhooks: id('webhook', 1),
  calendars: id('calendar', 1),
  feeds: id('feed', 1),
  'plan-calendars': id('plan', 1),
  'connected-accounts': id('account', 1),
  recurrences: id('recurrence', 1),
  occurrences: id('recurrence', 1),
  auth: id('key', 1),
  history: task,
}

/** The ids that follow the user's, for statements that need other ids than the one of their slice. */
const idsAsked: Record<string, (string | string[])[]> = {
  'events.append': [task],
  'auth.provide-profile': [unused],
  'tasks.insert-with-labels': [idsOf('label', 5), unused],
  'tasks.update-with-labels': [idsOf('label', 5), task],
  'tasks.update-with-labels-and-blocks': [idsOf('label', 5), task],
  'checklist-items.insert': [unused, task],
  'documents.list-in-space': [id('space', 1)],
  'documents.list-in-project': [id('project', 1)],
  'documents.list-in-space-and-project': [id('space', 1), id('project', 1)],
  'documents.insert': [id('space', 1), id('project', 1), unused],
  'projects.list-in-space': [id('space', 1)],
  'projects.insert': [id('space', 1)],
  'dependencies.find': [task],
  'dependencies.insert': [task, id('task', 9000), unused],
  'dependencies.delete': [id('task', 3), task],
  'document-links.insert': [id('document', 1), id('task', 9000)],
  'document-links.delete': [task, id('document', 3)],
  'time-blocks.insert': [unused, task],
  'time-blocks.reorder': [idsOf('block', 1000)],
  'planner.cancel-blocks': [idsOf('block', 300), unused, id('run', 1)],
  'planner-runs.insert': [unused, idsOf('block', 300), idsOf('block', 300, 301)],
  'planner-runs.apply': [id('run', 1), idsOf('block', 300), idsOf('block', 300, 301)],
  'planner-runs.undo': [id('run', 1), idsOf('block', 300), idsOf('block', 300, 301)],
  'history.labels-still-there': [idsOf('label', 100)],
  'webhooks.delivered': [unused, id('webhook', 1)],
  'webhooks.failed': [unused, id('webhook', 1)],
  'calendars.apply-reading': [id('calendar', 1), idsOf('occurrence', 100)],
  'calendars.apply-reading-and-plan': [id('calendar', 1), idsOf('occurrence', 100)],
  'occurrences.find-by-task': [task],
  'occurrences.release': [task],
  'occurrences.reattach': [task],
  'occurrences.delete': [id('recurrence', 1), idsOf('task', 16)],
  'occurrences.transfer': [id('recurrence', 2), id('recurrence', 1)],
  'recurrences.find-task': [task],
  'events.heads': [idsOf('user', 1, 0)],
}

/** The records that statements take as JSON, by the slice or the statement. */
const records: Record<string, object> = {
  tasks: { title: 'Changed', description: '', status: 'in_progress', priority: 'high', sort_order: 7,
    min_session_minutes: 5, max_session_minutes: 60, cooldown_minutes: 5, auto_schedule: true,
    auto_split: true, project_id: id('project', 2), space_id: id('space', 3) }, // prettier-ignore
  'checklist-items': { title: 'Changed' },
  documents: { title: 'Changed', content: 'Changed' },
  labels: { name: 'Changed' },
  projects: { name: 'Changed', space_id: id('space', 1) },
  spaces: { name: 'Changed' },
  'schedule-preferences': { name: 'Changed', windows: [{}] },
  'time-blocks': { locked: true },
  settings: { automatic: true },
  user: { display_name: 'Changed' },
  webhooks: { url: 'https://example.com/changed' },
  calendars: { name: 'Changed' },
  recurrences: { words: 'changed' },
}
const restored: Record<string, object> = {
  space: { name: 'Back', color: '#000000', icon: 'star', is_default: false },
  project: { name: 'Back', description: '', color: '#000000', icon: 'star', status: 'planned',
    archived: false, auto_schedule: true }, // prettier-ignore
  label: { name: 'Back' },
  document: { title: 'Back', content: '', doc_type: 'note' },
  schedulePreference: { name: 'Back', windows: [{}], priority: 1 },
  checklistItem: { task_id: task, title: 'Back', completed: false },
  timeBlock: { task_id: task, title: 'Back', type: 'task', source: 'manual', status: 'scheduled',
    locked: false, defended: false, start_at: now, end_at: daysAgo(-0.1) }, // prettier-ignore
  task: { ...records.tasks, status: 'todo', locked: false },
}

/** The times after the user's id; by default the current time, a day later for each further one. */
const times: Record<string, string> = {
  'idempotency-keys.forget-old': daysAgo(3),
  'planner.purge-cancelled-blocks': daysAgo(30),
  'planner.archived-tasks-to-purge': daysAgo(360),
  'worker.trim-notifications': daysAgo(30),
  'worker.trim-deliveries': daysAgo(30),
  'worker.trim-runs': daysAgo(90),
  'worker.trim-events': daysAgo(90),
}

/** Values for every parameter of a statement, for the busy user; PostgreSQL provides the types. */
export function valuesFor(name: string, text: string, types: string[]) {
  const [slice = ''] = name.split('.')
  const uuids = idsOfStatement(name, text, slice)
  let days = 0
  return types.map((type, index) => {
    if (type === 'uuid' && index === 0) return `'${userId}'`
    if (type === 'uuid' || type === 'uuid[]') return asSql(uuids.shift() ?? unused, type)
    if (type === 'jsonb') return `'${JSON.stringify(recordFor(name, slice))}'`
    if (type === 'timestamp with time zone') return `'${times[name] ?? daysAgo(-(days += 1) + 1)}'`
    return scalars(name)[type] ?? missing(type)
  })
}

function idsOfStatement(name: string, text: string, slice: string) {
  const asked = idsAsked[name]
  if (asked) return [...asked]
  if (name.startsWith('tasks.list')) {
    const filters: Record<string, string> = { spaceId: id('space', 2), projectId: id('project', 1), labelId: id('label', 1) } // prettier-ignore
    return name.split(/[ ,]/).flatMap((word) => filters[word] ?? [])
  }
  if (/\.insert/.test(name)) return [unused]
  return [/any\(\$2::uuid\[\]\)/.test(text) ? idsOf('task', 1000) : (ofSlice[slice] ?? unused)]
}

function recordFor(name: string, slice: string) {
  const [, back] = name.split('history.restore-')
  if (back)
    return {
      id: unused,
      priority: null,
      sort_order: 0,
      created_at: now,
      updated_at: now,
      ...restored[back],
    }
  if (name === 'planner.insert-blocks') {
    return idsOf('task', 300).map((taskId, index) => ({ id: id('block', 50_000 + index), task_id: taskId,
      title: 'Task', start_at: now, end_at: daysAgo(-0.1), defended: false, explanation: '', continues: id('block', 8 * (index + 1)) })) // prettier-ignore
  }
  if (name === 'schedule-preferences.insert') return [{}]
  if (name === 'recurrences.insert') {
    return { kind: 'calendar', rule: 'FREQ=DAILY', starts_on: '2026-03-02', start_time: '00:00', lead_days: 0,
      missed: 'lapse', once_a_day: true, task: {}, checklist: [], words: '', settled_to: '2026-03-01', zone: 'UTC' } // prettier-ignore
  }
  if (name === 'recurrences.settle') {
    return idsOf('recurrence', 100).map((each) => ({
      id: each,
      settledTo: '2026-03-02',
      zone: 'UTC',
      added: 1,
    }))
  }
  if (name === 'occurrences.list-watched') {
    return idsOf('recurrence', 100).map((each) => ({ id: each, from: '2026-03-01' }))
  }
  if (name === 'occurrences.adopt') {
    return {
      recurrenceId: id('recurrence', 1),
      day: '2027-01-01',
      nth: 1,
      taskId: id('task', 90_000),
    }
  }
  if (name.startsWith('occurrences.')) return []
  if (name.startsWith('calendars.apply-reading')) return []
  if (name === 'plan-calendars.write-published') {
    const thread = id('block', 1)
    return [
      {
        thread,
        etag: '',
        isEdited: true,
        fingerprint: '',
        startAt: '2026-03-02',
        endAt: '2026-03-03',
      },
    ]
  }
  if (name === 'idempotency-keys.reseal') return []
  if (name === 'calendar-objects.write') return [{ path: '1', etag: '', body: '' }]
  return records[slice] ?? {}
}

const asSql = (value: string | string[], type: string) =>
  type === 'uuid[]' ? `'{${[value].flat().join()}}'` : `'${[value].flat()[0]}'`

const texts: Record<string, string> = {
  'planner-runs.insert': 'applied',
  'labels.insert': '#000000',
  'calendars.insert': 'never',
  'feeds.insert': 'full',
  'plan-calendars.insert': 'full',
  'connected-accounts.insert': 'google',
  'admin.update-user': 'user',
}
const scalars = (name: string): Record<string, string> => ({
  text: `'${texts[name] ?? 'sample'}'`,
  'text[]': `array['read']`,
  bytea: name === 'feeds.insert' ? `'\\x01'` : `'\\x00'`,
  'bigint[]': `'{0}'`,
  integer: '50',
  bigint:
    name.startsWith('history.list') || name.startsWith('webhooks.rewind')
      ? '19000'
      : name.startsWith('tasks.list')
        ? '2'
        : '15000',
  date: `'2026-03-02'`,
  boolean: 'true',
  'double precision': '1',
  task_status: `'todo'`,
  doc_type: `'note'`,
  user_role: `'user'`,
})

function missing(type: string): never {
  throw new Error(`No value of ${type}`)
}
