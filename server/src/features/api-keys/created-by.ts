// Who has made a webhook or a calendar. What an API key has made ends with the key.
import { actor, raw, sql, timestamp, userId } from '../../platform/db/sql.ts'

/** The caller, as JSON; for a key also its name, which stays when the key is deleted. */
export const creator = sql`
  (${actor}::jsonb - 'reverts') ||
  coalesce((select jsonb_build_object('name', key.name)
              from api_keys key
             where key.user_id = ${userId} and key.id = (${actor}::jsonb ->> 'id')::uuid), '{}')`

/** Whether it was a key that was revoked or has expired, as SQL over the row with `created_by`. */
export const isKeyGone = (row: string) => sql`
         (coalesce(${raw(row)}.created_by ->> 'kind' = 'key', false)
           and not exists (select
                             from api_keys key
                            where key.user_id = ${userId} and key.id = (${raw(row)}.created_by ->> 'id')::uuid
                              and (key.expires_at is null or key.expires_at > ${timestamp('now')})))`
