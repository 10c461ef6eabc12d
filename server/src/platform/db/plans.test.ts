// Checks that plans use the indexes: one user with 10,000 tasks among 1,000 users.
import pg from 'pg'
import '../../app.ts'
import '../../features/account/rotate-secret.ts'
import '../../jobs/worker.ts'
import { describe, expect, it as base } from '../../../test/it.ts'
import { anyUser, dropForeignKeys, explain, type PlanNode } from '../../../test/explain.ts'
import { statements } from './statement.ts'

const it = base.extend('crowd', { scope: 'file' }, async ({ url }, { onCleanup }) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onCleanup(() => client.end())
  await dropForeignKeys(client)
  await client.query(`
    create function id_of(kind int, n bigint) returns uuid immutable language sql
      return ('00000000-0000-7000-8' || lpad(to_hex(kind), 3, '0') || '-' || lpad(to_hex(n), 12, '0'))::uuid;

    insert into users (id, email, display_name)
    select case n when 0 then '${anyUser}' else id_of(0, n) end, n || '@example.com', 'Someone'
      from generate_series(0, 999) n;
    insert into spaces (user_id, id, name, is_default)
    select users.id, id_of(1, n), 'Space', n = 0 from users, generate_series(0, 2) n;
    insert into projects (user_id, id, name, space_id)
    select users.id, id_of(2, n), 'Project', id_of(1, n % 3) from users, generate_series(0, 9) n;
    insert into labels (user_id, id, name)
    select users.id, id_of(3, n), 'label ' || n from users, generate_series(0, 9) n;
    insert into tasks (user_id, id, title, status, priority, due_at, space_id, project_id, archived_at)
    select user_id, id_of(4, n), 'Task', status, (enum_range(null::task_priority))[1 + n % 5],
           '2026-03-02'::timestamptz + n * interval '1 hour', id_of(1, n % 3), id_of(2, n % 10),
           case status when 'archived' then now() end
      from (select users.id as user_id, n, (enum_range(null::task_status))[1 + n % 6] as status
              from users, generate_series(1, case users.id when '${anyUser}' then 10000 else 60 end) n) task;
    insert into task_labels (user_id, task_id, label_id)
    select user_id, id, id_of(3, (row_number() over ()) % 10) from tasks;
    insert into checklist_items (user_id, id, task_id, title)
    select user_id, gen_random_uuid(), id, 'Item' from tasks;
    insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at)
    select user_id, gen_random_uuid(), id, title, 'auto', due_at, due_at + interval '1 hour' from tasks;
    insert into task_dependencies (user_id, id, task_id, depends_on_task_id)
    select users.id, id_of(7, n), id_of(4, n + 1), id_of(4, n) from users, generate_series(1, 9) n;
    insert into documents (user_id, id, title, space_id)
    select users.id, id_of(5, n), 'Document', id_of(1, 0) from users, generate_series(0, 4) n;
    insert into task_documents (user_id, task_id, document_id)
    select users.id, id_of(4, n), id_of(5, n % 5) from users, generate_series(1, 9) n;
    insert into schedule_preferences (user_id, id, name, windows)
    select users.id, id_of(8, n), 'Windows', '[{}]' from users, generate_series(1, 9) n;
    insert into api_keys (user_id, id, name, prefix, hash, scopes)
    select users.id, id_of(9, n), 'Key', '', sha256(n::text::bytea), '{}' from users, generate_series(1, 9) n;
    insert into idempotency_keys (user_id, key, fingerprint)
    select users.id, n::text, '' from users, generate_series(1, 9) n;
    insert into planner_runs (user_id, id, state, planned_at, input_hash, detail, version, summary)
    select users.id, id_of(10, n), 'applied', now(), '', '', '1', '{}' from users, generate_series(1, 9) n;
    insert into notifications (user_id, id, type, title, body, metadata, created_at)
    select users.id, id_of(6, n), 'at_risk_deadline', 'Alert', '', '{}', now() - n * interval '1 hour'
      from users, generate_series(0, 19) n;
    insert into user_state (user_id, last_event) select id, 20 from users;
    insert into user_settings (user_id) select id from users;
    insert into events (user_id, seq, part, type, record_id, actor)
    select users.id, n, 1, 'task.updated', id_of(4, n), '{}' from users, generate_series(1, 20) n;
    insert into texts (user_id, hash, content, last_event)
    select users.id, sha256(n::text::bytea), 'Text', n from users, generate_series(1, 20) n;
    insert into webhooks (user_id, id, url, secret, seq, part)
    select users.id, id_of(11, n), 'https://example.com', '', 0, 0 from users, generate_series(1, 9) n;
    insert into webhook_deliveries (user_id, id, webhook_id, seq, part, type, attempt, at, duration_ms)
    select user_id, gen_random_uuid(), id, n, 1, 'task.updated', 1, now(), 1
      from webhooks, generate_series(1, 9) n;
    insert into feeds (user_id, id, name, detail, hash)
    select users.id, id_of(14, n), 'Plan', 'full', sha256(n::text::bytea) from users, generate_series(1, 9) n;
    insert into plan_calendars (user_id, id, name, sealed_url, host, username, detail, two_way)
    select users.id, id_of(15, n), 'Plan', '', '', '', 'full', true from users, generate_series(1, 5) n;
    insert into published_blocks (user_id, plan_calendar_id, thread, fingerprint, start_at, end_at)
    select users.id, id_of(15, 1 + n % 5), id_of(9, n), '', '2026-03-02', '2026-03-03'
      from users, generate_series(1, 40) n;
    insert into connected_accounts (user_id, id, kind, email, sealed_tokens)
    select users.id, id_of(16, n), 'google', n::text, '' from users, generate_series(1, 9) n;
    insert into calendars (user_id, id, name, color, sealed_url, host, blocks, all_day, tentative_blocks, padding_minutes)
    select users.id, id_of(12, n), 'Work', '', '', '', true, 'marked', true, 0 from users, generate_series(1, 9) n;
    insert into calendar_events (user_id, id, calendar_id, start_at, end_at, all_day, busy, tentative, title)
    select users.id, id_of(13, n), id_of(12, 1 + n % 9), '2026-03-02'::timestamptz + n * interval '1 hour',
           '2026-03-02'::timestamptz + n * interval '2 hours', false, true, false, 'Meeting'
      from users, generate_series(1, 40) n;
    insert into calendar_objects (user_id, calendar_id, path, etag, body)
    select users.id, id_of(12, 1 + n % 9), n::text, '', '' from users, generate_series(1, 40) n;
    insert into recurrences (user_id, id, kind, rule, starts_on, start_time, lead_days, missed, task, checklist,
                             words, settled_to, zone)
    select users.id, id_of(14, n), 'calendar', 'FREQ=DAILY', '2026-03-02', '00:00', 0, 'lapse', '{}', '[]', '',
           '2026-03-01', 'UTC' from users, generate_series(1, 9) n;
    insert into occurrences (user_id, recurrence_id, on_day, nth, state)
    select users.id, id_of(14, 1 + n % 9), '2026-03-02'::date + n, 1, 'lapsed' from users, generate_series(1, 40) n;
    analyze`)
  return client
})

const sequential = (plan: PlanNode[]) =>
  plan
    .filter((node) => node['Node Type'] === 'Seq Scan' && node.Schema === 'public')
    .map((node) => node['Relation Name'])

describe('among 1,000 users, one with 10,000 tasks', () => {
  const ofOneUser = [...statements].filter(([name]) => !name.startsWith('admin.list-'))

  it.for(ofOneUser)('%s scans no whole table', async ([, text], { crowd }) => {
    expect(sequential(await explain(crowd, text))).toEqual([])
  })

  it('the list of open tasks reads its page from the index, and sorts only that', async ({
    crowd,
  }) => {
    const plan = await explain(crowd, statements.get('tasks.list open') ?? '')

    const [limit] = plan.filter((node) => node['Node Type'] === 'Limit')
    expect(limit?.Plans?.[0]).toMatchObject({
      'Node Type': 'Index Scan',
      'Index Name': 'tasks_in_list_order',
    })
  })

  it('detects a scan of a whole table', async ({ crowd }) => {
    expect(sequential(await explain(crowd, 'select from tasks where title = $1'))).toEqual([
      'tasks',
    ])
  })
})
