// Two users that are easily confused: whatever Grace has, Ada has under the same id, with other texts and
// sometimes in another state, and more. A statement without a user condition finds Ada's rows. (Ids are unique
// per user only: every key begins with the user.)
import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type pg from 'pg'
import { newKey } from '../../../server/src/platform/auth/api-key-format.ts'
import { ada, adasMark, grace, id, root } from './ids.ts'
import { calendars } from './calendars.ts'
import { connectedAccounts } from './connected-account-rows.ts'
import { planCalendars } from './plan-calendars.ts'
import { adasPast, gracesPast } from './past.ts'
import { adasRecurrences, gracesState, recurrences } from './recurrences.ts'

export const now = new Date('2026-03-02T08:00:00Z')
export const secret = 'the secret that signs the sessions of this harness'

/** In the text of every record of Grace. */
export const gracesMark = 'Grace’s'

/** A user with an account and no other data. */
const fresh = id(0, 4)

const graces = newKey(grace)
export const credentials = {
  key: { authorization: `Bearer ${graces.key}` },
  session: sessionOf('grace'),
  admin: sessionOf('root'),
  newcomer: sessionOf('fresh'),
}

/** The hash of the token of her feed. */
export const feedHash = createHash('sha256').update('feed').digest()

function sessionOf(token: string) {
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  const cookie = `daywright.session_token=${encodeURIComponent(`${token}.${signature}`)}`
  return { cookie, host: 'localhost', origin: 'http://localhost' }
}

/** A request that Grace has made before with this key; Ada made another with the same key. */
export const repeated = { key: 'repeated', url: '/api/spaces', body: { name: 'Again' } }
export const adasKey = 'adas'
const fingerprint = createHash('sha256')
  .update(`POST ${repeated.url}\n${JSON.stringify(repeated.body)}`)
  .digest('hex')

export async function settleGrace(client: pg.Client) {
  await client.query(
    accounts(grace, 'grace', 'user') +
      accounts(root, 'root', 'admin') +
      accounts(fresh, 'fresh', undefined),
  )
  await client.query(
    recordsSql(grace, gracesMark) +
      calendars(grace, 'graces', 'UTC') +
      planCalendars(grace, 'graces') +
      connectedAccounts(grace, 'graces') +
      recurrences(grace, gracesMark),
  )
  await client.query(`
    insert into user_state (user_id) values ('${grace}');
    insert into user_settings (user_id, schedule_preference_id) values ('${grace}', '${id(4, 1)}');
    insert into api_keys (user_id, id, name, prefix, hash, scopes) values
      ('${grace}', '${id(10, 1)}', 'Key', '', '\\x${graces.hash.toString('hex')}', '{read,write,planner,webhooks}'),
      ('${grace}', '${id(10, 2)}', 'Key', '', '\\x01', '{read}');
    insert into feeds (user_id, id, name, detail, hash) values
      ('${grace}', '${id(17, 1)}', 'Plan', 'full', '\\x${feedHash.toString('hex')}'),
      ('${grace}', '${id(17, 2)}', 'Plan', 'busy', '\\x01');
    insert into idempotency_keys (user_id, key, fingerprint, status, body, created_at) values
      ('${grace}', '${repeated.key}', '\\x${fingerprint}', 201, '{"kept":true}', '2026-03-02T07:00Z'),
      ('${grace}', 'old', '\\x00', 200, '{}', '2026-02-01T07:00Z'),
      ('${grace}', 'sealed', '\\x00', 201, 'sealed', '2026-03-02T07:00Z')`)
}

/** Must follow the planner run, which appends an event as well. */
export const settleGracesPast = (client: pg.Client) => client.query(gracesPast + gracesState)

/** Must follow Grace's planner run, which is copied as well. */
export async function settleAda(client: pg.Client) {
  await client.query(
    accounts(ada, 'ada', 'user') +
      recordsSql(ada, adasMark) +
      calendars(ada, adasMark, 'Pacific/Pago_Pago') +
      planCalendars(ada, adasMark) +
      connectedAccounts(ada, adasMark) +
      recurrences(ada, adasMark),
  )
  await client.query(whatGraceHasNot)
  await client.query(adasPast + adasRecurrences)
  // Makes Ada's rows come first in queries without an order as well.
  const { rows } = await client.query<{ statement: string }>(
    `select format('cluster %s using %I', indrelid::regclass, relname) as statement
       from pg_index join pg_class on pg_class.oid = indexrelid
      where indisprimary and relnamespace in ('public'::regnamespace, 'auth'::regnamespace)`,
  )
  for (const { statement } of rows) await client.query(statement)
}

const whatGraceHasNot = `
    insert into auth.sessions (id, token, user_id, expires_at, created_at)
    select ('0000000c-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, '${adasMark}' || n, '${ada}',
           case when n = 1 then '2026-01-01' else '2099-02-01' end::timestamptz, '2099-01-01'
      from generate_series(1, 60) n;
    -- A task with measured time, from which Ada's estimate errors are derived.
    insert into tasks (user_id, id, title, status, estimate_minutes, actual_minutes, completed_at)
    values ('${ada}', '${id(6, 70)}', '${adasMark}', 'completed', 30, 45, '2026-02-28');
    -- Records in a different state from Grace's with the same ids.
    update tasks set status = 'todo', archived_at = null, completed_at = null
     where user_id = '${ada}' and id = '${id(6, 4)}';
    update tasks set status = 'archived', archived_at = '2026-01-01'
     where user_id = '${ada}' and id = '${id(6, 9)}';
    update time_blocks set cancelled_by_run = '${id(9, 1)}', status = 'cancelled', source = 'auto',
                           cancelled_at = '2026-03-01', start_at = '2026-03-05T09:00Z', end_at = '2026-03-05T10:00Z'
     where user_id = '${ada}' and id = '${id(8, 1)}';
    -- Ada's task and project are planned, and her blocks are in the way of Grace's or running.
    update projects set auto_schedule = true where user_id = '${ada}' and id = '${id(2, 4)}';
    update projects set auto_schedule = false where user_id = '${ada}' and id = '${id(2, 5)}';
    update tasks set project_id = null where user_id = '${ada}' and id = '${id(6, 12)}';
    update time_blocks set task_id = '${id(6, 2)}', start_at = '2026-03-02T10:00Z', end_at = '2026-03-02T10:15Z'
     where user_id = '${ada}' and id = '${id(8, 2)}';
    update time_blocks set start_at = '2026-03-02T08:30Z', end_at = '2026-03-02T08:40Z'
     where user_id = '${ada}' and id = '${id(8, 9)}';
    update time_blocks set task_id = '${id(6, 10)}' where user_id = '${ada}' and id = '${id(8, 11)}';
    update time_blocks set status = 'in_progress', started_at = '2026-03-02T07:00Z'
     where user_id = '${ada}' and id = '${id(8, 15)}';
    -- A block with the thread of one that Grace gets back if she undoes her run.
    insert into time_blocks (user_id, id, title, source, start_at, end_at, thread)
    values ('${ada}', '${id(8, 0x200)}', '${adasMark}', 'manual', '2026-03-02T08:15Z', '2026-03-02T08:20Z', '${id(8, 4)}');
    insert into time_blocks (user_id, id, title, source, start_at, end_at, status, cancelled_at)
    values ('${ada}', '${id(8, 0x201)}', '${adasMark}', 'auto', '2026-03-02T08:25Z', '2026-03-02T08:30Z', 'cancelled', '2026-03-01');
    -- What Grace does not have: links between records that both have, and records that only Ada has.
    insert into task_labels
    select '${ada}', tasks.id, labels.id from tasks, labels
     where tasks.user_id = '${ada}' and labels.user_id = '${ada}' on conflict do nothing;
    insert into task_documents
    select '${ada}', tasks.id, documents.id from tasks, documents
     where tasks.user_id = '${ada}' and documents.user_id = '${ada}' on conflict do nothing;
    insert into task_dependencies (user_id, id, task_id, depends_on_task_id) values
      ('${ada}', '${id(11, 100)}', '${id(6, 8)}', '${id(6, 10)}'),
      ('${ada}', '${id(11, 101)}', '${id(6, 2)}', '${id(6, 10)}');
    insert into checklist_items (user_id, id, task_id, title)
    select '${ada}', ('00000007-0000-7000-8000-0000000001' || lpad(row_number() over ()::text, 2, '0'))::uuid,
           id, '${adasMark}' from tasks where user_id = '${ada}';
    insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at)
    select '${ada}', ('00000008-0000-7000-8000-0000000001' || lpad(row_number() over ()::text, 2, '0'))::uuid,
           id, '${adasMark}', 'auto', '2026-03-03T11:00Z', '2026-03-03T12:00Z'
      from tasks where user_id = '${ada}';
    insert into spaces (user_id, id, name) values ('${ada}', '${id(1, 100)}', '${adasMark}');
    insert into projects (user_id, id, name) values ('${ada}', '${id(2, 100)}', '${adasMark}');
    insert into labels (user_id, id, name) values ('${ada}', '${id(3, 100)}', '${adasMark}');
    insert into schedule_preferences (user_id, id, name, windows)
    values ('${ada}', '${id(4, 100)}', '${adasMark}', '[{"day":[1],"start":"20:00","end":"21:00"}]');
    insert into documents (user_id, id, title) values ('${ada}', '${id(5, 100)}', '${adasMark}');
    insert into tasks (user_id, id, title, due_at, estimate_minutes)
    values ('${ada}', '${id(6, 100)}', '${adasMark}', '2026-03-02T11:00Z', 30),
           ('${ada}', '${id(6, 101)}', '${adasMark}', '2026-03-01T11:00Z', 30);
    insert into notifications (user_id, id, type, title, body, metadata, created_at)
    values ('${ada}', '${id(12, 100)}', 'at_risk_deadline', '${adasMark}', '',
            '{"taskIds": ["${id(6, 3)}", "${id(6, 1)}"]}', '2026-03-02T07:00Z');
    insert into planner_runs (user_id, id, state, planned_at, input_hash, input, plan, detail, version, summary, created_at)
    select '${ada}', id, state, planned_at, '\\x00', '\\x00', '\\x00', '\\x00', '0', '{}', created_at + interval '1 second'
      from planner_runs where user_id = '${grace}';
    insert into planner_runs (user_id, id, state, planned_at, input_hash, detail, version, summary, created_at)
    values ('${ada}', '${id(9, 200)}', 'applied', '2026-03-02', '\\x00', '\\x00', '0', '{}', '2026-03-02T07:59Z');
    insert into api_keys (user_id, id, name, prefix, hash, scopes, last_used_at)
    select '${ada}', id, '${adasMark}', '', hash, '{}', now() from api_keys where user_id = '${grace}';
    insert into api_keys (user_id, id, name, prefix, hash, scopes)
    select '${ada}', ('0000000a-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, '${adasMark}', '',
           sha256(n::text::bytea), '{}' from generate_series(1, 25) n;
    insert into feeds (user_id, id, name, detail, hash)
    select '${ada}', id, '${adasMark}', detail, hash from feeds where user_id = '${grace}';
    insert into feeds (user_id, id, name, detail, hash)
    select '${ada}', ('00000011-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, '${adasMark}', 'full',
           sha256(n::text::bytea) from generate_series(1, 8) n;
    insert into idempotency_keys (user_id, key, fingerprint, status, body, created_at) values
      ('${ada}', '${repeated.key}', '\\x01', 201, '${adasMark}', '2026-03-02T07:00Z'),
      ('${ada}', '${adasKey}', '\\x01', 201, '${adasMark}', '2026-03-02T07:00Z'),
      ('${ada}', 'sealed', '\\x00', 201, 'sealed', '2026-03-02T07:00Z'),
      ('${ada}', 'old', '\\x00', 200, '${adasMark}', '2026-02-01T07:00Z')`

const accounts = (user: string, name: string, role: 'user' | 'admin' | undefined) => `
  insert into auth.users (id, name, email, role)
  values ('${user}', '${name}', '${name}@example.com', '${role ?? 'user'}');
  insert into auth.sessions (id, token, user_id, expires_at)
  values ('${user}', encode(sha256('${name}'), 'hex'), '${user}', '2099-01-01');
  insert into auth.accounts (id, user_id, account_id, provider_id, password)
  values ('${user}', '${user}', '${user}', 'credential', '${name}');
  ${
    role
      ? `insert into users (id, email, display_name, timezone, role)
         values ('${user}', '${name}@example.com', '${name}', '${name === 'ada' ? 'Pacific/Pago_Pago' : 'UTC'}', '${role}');`
      : ''
  }`

/** One of everything, and several of most records. */
const recordsSql = (user: string, mark: string) => `
  insert into spaces (user_id, id, name, is_default, created_at) values
    ('${user}', '${id(1, 2)}', '${mark} default', true, '2026-01-01'),
    ('${user}', '${id(1, 1)}', '${mark} work', false, '2026-01-02'),
    ('${user}', '${id(1, 3)}', '${mark} home', false, '2026-01-03');
  insert into projects (user_id, id, space_id, name, archived, auto_schedule) values
    ('${user}', '${id(2, 1)}', '${id(1, 1)}', '${mark} one', false, true),
    ('${user}', '${id(2, 2)}', '${id(1, 1)}', '${mark} two', true, true),
    ('${user}', '${id(2, 3)}', null, '${mark} three', false, true),
    ('${user}', '${id(2, 4)}', null, '${mark} four', false, false),
    ('${user}', '${id(2, 5)}', null, '${mark} five', false, true);
  insert into labels (user_id, id, name) values
    ('${user}', '${id(3, 1)}', '${mark} red'), ('${user}', '${id(3, 2)}', '${mark} blue');
  insert into schedule_preferences (user_id, id, name, windows) values
    ('${user}', '${id(4, 1)}', '${mark} mornings', '[{"day":[1,2,3,4,5],"start":"09:00","end":"12:00"}]'),
    ('${user}', '${id(4, 2)}', '${mark} evenings', '[{"day":[1,2],"start":"18:00","end":"20:00"}]');
  insert into documents (user_id, id, title, content, space_id, project_id) values
    ('${user}', '${id(5, 1)}', '${mark} brief', '${mark}', '${id(1, 1)}', '${id(2, 1)}'),
    ('${user}', '${id(5, 2)}', '${mark} note', '${mark}', '${id(1, 1)}', null);
  insert into tasks (user_id, id, title, status, priority, due_at, estimate_minutes, space_id, project_id,
                     schedule_preference_id, archived_at, completed_at) values
    ('${user}', '${id(6, 1)}', '${mark} 1', 'todo', 'high', '2026-03-02T12:00Z', 60, '${id(1, 1)}', '${id(2, 1)}', '${id(4, 1)}', null, null),
    ('${user}', '${id(6, 2)}', '${mark} 2', 'todo', 'none', null, 30, '${id(1, 1)}', null, null, null, null),
    ('${user}', '${id(6, 3)}', '${mark} 3', 'in_progress', 'none', '2026-03-02T10:00Z', null, null, null, null, null, null),
    ('${user}', '${id(6, 4)}', '${mark} 4', 'completed', 'none', null, 30, '${id(1, 1)}', '${id(2, 1)}', '${id(4, 1)}', null, '2026-02-28'),
    ('${user}', '${id(6, 5)}', '${mark} 5', 'archived', 'none', null, 30, null, null, null, '2026-03-01', null),
    ('${user}', '${id(6, 6)}', '${mark} 6', 'archived', 'none', null, 30, null, null, null, '2026-01-01', null),
    ('${user}', '${id(6, 7)}', '${mark} 7', 'todo', 'low', null, 30, null, '${id(2, 1)}', '${id(4, 1)}', null, null),
    ('${user}', '${id(6, 8)}', '${mark} 8', 'todo', 'none', null, 90, null, null, null, null, null),
    ('${user}', '${id(6, 9)}', '${mark} 9', 'backlog', 'none', null, null, null, null, null, null, null),
    ('${user}', '${id(6, 10)}', '${mark} 10', 'todo', 'none', null, 45, null, '${id(2, 3)}', null, null, null),
    ('${user}', '${id(6, 11)}', '${mark} 11', 'todo', 'none', '2026-03-05T12:00Z', 20, '${id(1, 1)}', '${id(2, 1)}', null, null, null),
    ('${user}', '${id(6, 12)}', '${mark} 12', 'todo', 'none', null, 30, null, '${id(2, 4)}', null, null, null),
    -- Left over by the last run, with and without an estimate.
    ('${user}', '${id(6, 13)}', '${mark} 13', 'todo', 'none', '2026-03-10T12:00Z', 45, null, '${id(2, 5)}', null, null, null),
    ('${user}', '${id(6, 14)}', '${mark} 14', 'todo', 'none', '2026-03-11T12:00Z', null, null, null, null, null, null);
  -- The same in both worlds: updates detect concurrent changes by updated_at.
  update tasks set updated_at = '2026-02-01' where user_id = '${user}';
  update tasks set parent_task_id = '${id(6, 2)}' where user_id = '${user}' and id = '${id(6, 1)}';
  update tasks set parent_task_id = '${id(6, 6)}' where user_id = '${user}' and id = '${id(6, 7)}';
  insert into task_labels (user_id, task_id, label_id) values
    ('${user}', '${id(6, 1)}', '${id(3, 1)}'), ('${user}', '${id(6, 4)}', '${id(3, 1)}'),
    ('${user}', '${id(6, 5)}', '${id(3, 1)}'), ('${user}', '${id(6, 7)}', '${id(3, 2)}');
  insert into task_documents (user_id, task_id, document_id) values ('${user}', '${id(6, 1)}', '${id(5, 1)}');
  insert into task_dependencies (user_id, id, task_id, depends_on_task_id)
  values ('${user}', '${id(11, 1)}', '${id(6, 1)}', '${id(6, 2)}');
  insert into checklist_items (user_id, id, task_id, title) values
    ('${user}', '${id(7, 1)}', '${id(6, 1)}', '${mark} a'), ('${user}', '${id(7, 2)}', '${id(6, 1)}', '${mark} b');
  insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, status, cancelled_at,
                           made_by_run, cancelled_by_run) values
    ('${user}', '${id(8, 1)}', '${id(6, 2)}', '${mark} 1', 'manual', '2026-03-02T09:00Z', '2026-03-02T10:00Z', 'scheduled', null, null, null),
    ('${user}', '${id(8, 2)}', '${id(6, 8)}', '${mark} 2', 'auto', '2026-03-03T09:00Z', '2026-03-03T10:00Z', 'scheduled', null, '${id(9, 1)}', null),
    ('${user}', '${id(8, 3)}', '${id(6, 8)}', '${mark} 3', 'auto', '2026-01-02T09:00Z', '2026-01-02T10:00Z', 'cancelled', '2026-01-02', null, null),
    ('${user}', '${id(8, 4)}', '${id(6, 8)}', '${mark} 4', 'auto', '2026-03-03T11:00Z', '2026-03-03T12:00Z', 'cancelled', '2026-03-01', null, '${id(9, 1)}'),
    ('${user}', '${id(8, 5)}', null, '${mark} 5', 'manual', '2026-03-02T13:00Z', '2026-03-02T14:00Z', 'scheduled', null, null, null),
    ('${user}', '${id(8, 6)}', '${id(6, 6)}', '${mark} 6', 'manual', '2026-01-02T09:00Z', '2026-01-02T10:00Z', 'completed', null, null, null),
    ('${user}', '${id(8, 7)}', '${id(6, 4)}', '${mark} 7', 'manual', '2026-02-27T09:00Z', '2026-02-27T10:00Z', 'completed', null, null, null),
    ('${user}', '${id(8, 8)}', '${id(6, 4)}', '${mark} 8', 'auto', '2026-03-04T11:00Z', '2026-03-04T12:00Z', 'cancelled', '2026-03-01', null, '${id(9, 1)}'),
    ('${user}', '${id(8, 9)}', '${id(6, 5)}', '${mark} 9', 'auto', '2026-03-04T15:00Z', '2026-03-04T16:00Z', 'scheduled', null, '${id(9, 1)}', null);
  ${missedAndRunning(user, mark)}
  insert into notifications (user_id, id, type, title, body, metadata, once, created_at) values
    ('${user}', '${id(12, 1)}', 'morning_summary', '${mark} 1', '${mark}', '{}', '2026-03-01', '2026-03-01T07:00Z'),
    ('${user}', '${id(12, 2)}', 'at_risk_deadline', '${mark} 2', '${mark}', '{"taskIds": ["${id(6, 1)}"]}', null, '2026-03-02T07:00Z');
  -- Old notifications, more than are kept.
  insert into notifications (user_id, id, type, title, body, read, metadata, created_at)
  select '${user}', ('0000000c-0000-7000-8000-' || lpad(to_hex(n + 4096), 12, '0'))::uuid, 'morning_summary',
         '${mark} old', '', true, '{}', '2025-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, 60) n;
  ${user === ada ? '' : runs(user)}`

/** Blocks to decide on, a running one, and blocks that overlap when another one is started or extended. */
const missedAndRunning = (user: string, mark: string) => `
  update spaces set schedule_preference_id = '${id(4, 1)}' where user_id = '${user}' and id = '${id(1, 1)}';
  update projects set schedule_preference_id = '${id(4, 1)}' where user_id = '${user}' and id = '${id(2, 1)}';
  insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at) values
    ('${user}', '${id(8, 10)}', '${id(6, 10)}', '${mark} 10', 'auto', '2026-03-01T09:00Z', '2026-03-01T10:00Z'),
    ('${user}', '${id(8, 11)}', '${id(6, 8)}', '${mark} 11', 'manual', '2026-03-02T07:30Z', '2026-03-02T08:15Z'),
    ('${user}', '${id(8, 12)}', '${id(6, 11)}', '${mark} 12', 'auto', '2026-02-28T09:00Z', '2026-02-28T10:00Z'),
    -- The task of the next block has no estimate; that of the block after it is completed.
    ('${user}', '${id(8, 13)}', '${id(6, 3)}', '${mark} 13', 'auto', '2026-03-01T11:00Z', '2026-03-01T12:00Z'),
    ('${user}', '${id(8, 14)}', '${id(6, 4)}', '${mark} 14', 'auto', '2026-03-01T13:00Z', '2026-03-01T14:00Z'),
    ('${user}', '${id(8, 15)}', '${id(6, 1)}', '${mark} 15', 'auto', '2026-03-03T10:00Z', '2026-03-03T11:00Z'),
    -- Two within an hour, and two after the first block: in each case, one that the planner moves and one of a task
    -- that it does not plan.
    ('${user}', '${id(8, 16)}', '${id(6, 11)}', '${mark} 16', 'auto', '2026-03-02T08:20Z', '2026-03-02T08:30Z'),
    ('${user}', '${id(8, 17)}', '${id(6, 12)}', '${mark} 17', 'auto', '2026-03-02T08:40Z', '2026-03-02T08:50Z'),
    ('${user}', '${id(8, 18)}', '${id(6, 11)}', '${mark} 18', 'auto', '2026-03-02T10:05Z', '2026-03-02T10:15Z'),
    ('${user}', '${id(8, 19)}', '${id(6, 12)}', '${mark} 19', 'auto', '2026-03-02T10:00Z', '2026-03-02T10:05Z');
  update time_blocks set status = 'in_progress', started_at = '2026-03-02T07:30Z'
   where user_id = '${user}' and id = '${id(8, 11)}';
  update time_blocks set status = 'cancelled', cancelled_at = '2026-03-01', cancel_reason = 'missed'
   where user_id = '${user}' and id = '${id(8, 12)}';`

const noDetail = gzipSync('{}').toString('hex')

/** Enough runs for the oldest to be dropped; the last applied one is the first. */
const leftOver = JSON.stringify({ result: { unscheduledTaskIds: [id(6, 13), id(6, 14)] } })

const runs = (user: string) => `
  insert into planner_runs (user_id, id, state, planned_at, input_hash, input, plan, detail, version, summary, created_at)
  select '${user}', ('00000009-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         case n when 1 then 'applied' else 'undone' end, '2026-03-01', '\\x01', '\\x01', '\\x01',
         '\\x${noDetail}', '1', '${leftOver}', '2026-03-01'::timestamptz - n * interval '1 minute'
    from generate_series(1, 105) n;`
