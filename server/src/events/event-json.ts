import { iso } from '../db/statement.ts'

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

/** A cursor's two numbers; the beginning, where there is none. */
export function place(cursor: string | undefined) {
  const [seq = 0, part = 0] = (cursor ?? '0-0').split('-').map(Number)
  return { seq, part }
}
