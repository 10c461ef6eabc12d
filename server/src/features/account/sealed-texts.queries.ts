// The encrypted texts of a user, wherever they are.
import type { Db } from '../../platform/db/database.ts'
import { jsonText, sql, text, userId, uuid } from '../../platform/db/sql.ts'
import { execute, queryRows } from '../../platform/db/statement.ts'

export type SealedText = { id: string; sealed: string }
export type Resealed = SealedText & { renewed: string }
export type SealedWebhook = { id: string; secret: string; former_secret: string | null }

const prefix = text('prefix')

const webhooks = queryRows<SealedWebhook>()(
  'webhooks.list-sealed',
  sql`
  select id, secret, former_secret
    from webhooks
   where user_id = ${userId}
     and (not starts_with(secret, ${prefix}) or not starts_with(former_secret, ${prefix}))`,
)

const calendars = queryRows<SealedText>()(
  'calendars.list-sealed',
  sql`
  select id, sealed_url as sealed
    from calendars
   where user_id = ${userId} and not starts_with(sealed_url, ${prefix})`,
)

const replaceCalendar = execute(
  'calendars.reseal',
  sql`
  update calendars set sealed_url = ${text('renewed')}
   where user_id = ${userId} and id = ${uuid('id')} and sealed_url = ${text('sealed')}`,
)

const planCalendars = queryRows<SealedText>()(
  'plan-calendars.list-sealed',
  sql`
  select id, sealed_url as sealed
    from plan_calendars
   where user_id = ${userId} and not starts_with(sealed_url, ${prefix})`,
)

const replacePlanCalendar = execute(
  'plan-calendars.reseal',
  sql`
  update plan_calendars set sealed_url = ${text('renewed')}
   where user_id = ${userId} and id = ${uuid('id')} and sealed_url = ${text('sealed')}`,
)

const accounts = queryRows<SealedText>()(
  'connected-accounts.list-sealed',
  sql`
  select id, sealed_tokens as sealed
    from connected_accounts
   where user_id = ${userId} and not starts_with(sealed_tokens, ${prefix})`,
)

const replaceAccount = execute(
  'connected-accounts.reseal',
  sql`
  update connected_accounts set sealed_tokens = ${text('renewed')}
   where user_id = ${userId} and id = ${uuid('id')} and sealed_tokens = ${text('sealed')}`,
)

// Most answers are not encrypted: those are JSON. A page at a time, since a user may have many.
const answers = queryRows<{ key: string; sealed: string }>()(
  'idempotency-keys.list-sealed',
  sql`
  select key, body as sealed
    from idempotency_keys
   where user_id = ${userId} and key > ${text('after')}
     and left(body, 1) not in ('{', '[') and not starts_with(body, ${prefix})
   order by key
   limit 500`,
)

const replaceAnswers = execute(
  'idempotency-keys.reseal',
  sql`
  with changed as (
    update idempotency_keys old
       set body = given.renewed
      from jsonb_to_recordset(${jsonText('answers')}::jsonb) as given (key text, sealed text, renewed text)
     where old.user_id = ${userId} and old.key = given.key and old.body = given.sealed
    returning octet_length(given.renewed) - octet_length(given.sealed) as added
  )
  update user_state
     set answer_bytes = answer_bytes + (select coalesce(sum(added), 0) from changed)
   where user_id = ${userId}`,
)

/** Each kind of text that has an id: how those without this prefix are found, and replaced unless they have changed. */
export const kinds = [
  { list: calendars, replace: replaceCalendar },
  { list: planCalendars, replace: replacePlanCalendar },
  { list: accounts, replace: replaceAccount },
]

export const listSealedWebhooks = (db: Db, userId: string, prefix: string) =>
  webhooks(db, { userId, prefix })

export const listSealedAnswers = (db: Db, userId: string, prefix: string, after: string) =>
  answers(db, { userId, prefix, after })

export const resealAnswers = (
  db: Db,
  userId: string,
  given: { key: string; sealed: string; renewed: string }[],
) => replaceAnswers(db, { userId, answers: JSON.stringify(given) })
