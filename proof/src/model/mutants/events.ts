// Faults in events, and in what depends on them.
import { fault } from './mutant.ts'

const recording = fault('events', 'server/src/db/recording.ts')
const revert = fault('events', 'server/src/history/revert.ts')
const history = fault('events', 'server/src/history/history.queries.ts')
const settings = fault('events', 'server/src/settings/settings.queries.ts')
const changes = fault('events', 'server/src/changes/changes.queries.ts')
const webhooks = fault('webhooks', 'server/src/webhooks/webhooks.queries.ts')

export const events = [
  fault('events', 'server/src/labels/labels.queries.ts')(
    'a label is changed in silence',
    "recording([{ ...labelRecord, type: 'label.updated', before: 'old', after: 'label' }])",
    "recording([{ ...labelRecord, type: 'label.updated', before: 'old', after: '(select * from label where false)' }])",
  ),
  recording(
    'before and after are confused',
    'old.json as before, new.json as after',
    'new.json as before, old.json as after',
  ),
  recording(
    'numbers have gaps',
    'set last_event = agenda.last_event + 1,\n           stale',
    'set last_event = agenda.last_event + 2,\n           stale',
  ),
  fault('events', 'server/src/tasks/task-json.ts')(
    'an event shows a task without its labels',
    "'from task_labels link where link.user_id = $1 and link.task_id = task.id',",
    "'from task_labels link where link.user_id = $1 and link.task_id = task.id and false',",
  ),
  changes('a page begins with the last event again', '> ($2::bigint', '>= ($2::bigint'),
  changes('there is always more', 'more: hasMore', "more: 'true'"),
  history('the next page is left out', 'where ${hasMore}', 'where not (${hasMore})'),
  revert('what has changed since is overwritten', 'if (!isAsLeft) throw changedSince()', ''),
  revert(
    'all of a record is set back',
    '(field) => field !== ',
    "(field) => field === 'name' || field !== ",
  ),
  settings(
    'quiet hours cannot be cleared',
    'quietFrom: quietHours?.from ?? null',
    'quietFrom: quietHours?.from',
  ),
  settings(
    'no morning is a morning',
    'from jsonb_populate_record(agenda, $2)),',
    'from jsonb_populate_record(agenda, jsonb_strip_nulls($2::jsonb))),',
  ),
  webhooks(
    'the list is everyone’s',
    'where webhook.user_id = $1\n    order by',
    'where $1::uuid is not null\n    order by',
  ),
  webhooks(
    'a new secret is the old one',
    "randomBytes(24).toString('base64')",
    "Buffer.alloc(24).toString('base64')",
  ),
  webhooks(
    'what was not yet sent is sent again',
    'and (webhook.seq, webhook.part) >= ($3::bigint, $4::int)',
    '',
  ),
  webhooks(
    'what is older than the webhook is sent to it',
    "if (seq <= found.first_event) throw badRequest('eventId is older than the webhook')",
    '',
  ),
  fault('webhooks', 'server/src/api-keys/api-keys.queries.ts')(
    'a webhook survives its key',
    'where user_id = $1 and disabled_at is null',
    'where user_id = $1 and disabled_at is not null',
  ),
  fault('webhooks', 'server/src/http/authenticate.ts')(
    'one of the scopes is enough',
    'needed.every(',
    'needed.some(',
  ),
  fault('jobs', 'server/src/worker/queue.ts')(
    'a job is found twice',
    'graphile_worker.complete_jobs(array[id])',
    'id',
  ),
]
