import { iso } from '../../platform/db/fragments.ts'
import { sql, type Sql, userId } from '../../platform/db/sql.ts'

/** An event on the wire, as SQL over its row `event`. */
export const event = {
  id: `event.seq || '-' || event.part`,
  at: iso('event.at'),
  type: 'event.type',
  recordId: 'event.record_id',
  before: 'event.before',
  after: 'event.after',
  actor: 'event.actor',
}

/**
 * Whether a reader whose cursor is at event `seq` must read everything again. It need not if that event is the last
 * one, is kept, or directly precedes the first kept one. Any other number is too old, past the end, or in the gap
 * that a restore leaves (`platform/backup/begin-epoch.ts`).
 */
export const requiresResync = <Given>(seq: Sql<Given>) => sql`
  (${seq} <> coalesce((select last_event from user_state where user_id = ${userId}), 0)
   and not exists (select from events where user_id = ${userId} and seq = ${seq})
   and coalesce((select min(seq) from events where user_id = ${userId}), 0) <> ${seq} + 1)`

/** The two numbers of a cursor; zeros, the beginning, if there is no cursor. */
export function place(cursor: string | undefined) {
  const [seq = 0, part = 0] = (cursor ?? '0-0').split('-').map(Number)
  return { seq, part }
}
