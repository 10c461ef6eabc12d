// A restored database is an earlier state of another one. Its event numbers continue from a number that was
// never used, so cursors from after the backup fall into the gap and are detected, and no webhook-id is used
// twice.
import type pg from 'pg'

export const restoredReason = 'Restored from a backup: enable it where this copy is to send'

// The number is the time in milliseconds, which is greater than any counted number and that of any earlier restore.
const renumber = (userState: string) => `
  with moved as (
    insert into ${userState} as user_state (user_id, last_event)
    select id, (extract(epoch from clock_timestamp()) * 1000)::bigint from users
    on conflict (user_id) do update
       set last_event = greatest(user_state.last_event + 1, excluded.last_event)
    returning user_id, last_event
  )
  insert into events (user_id, seq, part, type, record_id, actor)
  select user_id, last_event, 1, 'account.restored', user_id, '{"kind": "system"}' from moved`

const disable = `
  update webhooks
     set disabled_at = clock_timestamp(), disabled_reason = $1, next_at = null
   where disabled_at is null`

export const restoredCalendarReason =
  'Restored from a backup: change its password where this copy is to write to it'

const rest = `
  update plan_calendars
     set next_sync_at = null, leased_until = null, failures = greatest(failures, 1), error = $1`

const exists = async (client: pg.Client, table: string) =>
  (await client.query(`select where to_regclass($1) is not null`, [table])).rows.length > 0

/** Begins a new epoch. Disables webhooks and plan calendars unless requested: a copy must not send, too. */
export async function beginEpoch(client: pg.Client, { sendsWebhooks }: { sendsWebhooks: boolean }) {
  // A backup from before events were introduced is restored into a schema without events and webhooks.
  if (!(await exists(client, 'public.webhooks'))) return
  // It was named `agendas` before migration 0030, and a backup is restored into the schema that it was written from.
  const userState = (await exists(client, 'public.user_state')) ? 'user_state' : 'agendas'
  await client.query(renumber(userState))
  if (sendsWebhooks) return
  await client.query(disable, [restoredReason])
  await client.query(`update ${userState} set has_webhooks = false where has_webhooks`)
  if (!(await exists(client, 'public.plan_calendars'))) return
  await client.query(rest, [restoredCalendarReason])
}
