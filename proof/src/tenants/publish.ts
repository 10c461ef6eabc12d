// The worker's work on the calendars that show Grace's plan.
import {
  notePlanCalendars,
  updatePlanCalendar,
} from '../../../server/src/features/plan-calendars/plan-calendars.queries.ts'
import { publishPlan } from '../../../server/src/features/plan-calendars/publish-plan.ts'
import { createHostLimiter } from '../../../server/src/features/calendars/hosts.ts'
import { readerHere } from '../../../server/test/reader-here.ts'
import { emptyReading, reading } from './reading.ts'
import type { Database } from '../../../server/src/platform/db/database.ts'
import { grace, id } from './ids.ts'
import { now } from './people.ts'

export const plainSeal = { close: async (text: string) => text, open: async (text: string) => text }
type Answer = { status: number; etag?: string; body?: string }

/** Brings one of her plan calendars up to date, on a server with these answers. Returns what was sent. */
export async function publish(
  db: Database,
  number: number,
  answer: (method: string) => Answer | undefined,
) {
  const sent: string[] = []
  const hosts = createHostLimiter()
  if (!answer('')) hosts.rest('example.com', grace, now, 60)
  await publishPlan(
    {
      db,
      now: () => now,
      request: async (url, { method, headers, body }) => {
        sent.push(method, url, JSON.stringify(headers), body)
        const { status, etag = null, body: text = '' } = answer(method) ?? { status: 500 }
        const content = { body: Buffer.from(text), encoding: null }
        return { kind: 'answered', status, content, location: null, etag }
      },
      ...reading(
        readerHere((files, options) => {
          sent.push((files as Uint8Array[]).map((each) => Buffer.from(each).toString()).join())
          sent.push(options.zone)
          return emptyReading
        }),
      ),
      seal: plainSeal,
      hosts,
      random: () => 0.5,
      origin: undefined,
    },
    grace,
    id(18, number),
  )
  return sent.join('\n')
}

const changed = `<multistatus xmlns="DAV:"><response><href>/plan/${id(8, 1)}.ics</href><propstat><prop><getetag>"3"</getetag><calendar-data xmlns="urn:ietf:params:xml:ns:caldav">BEGIN:VCALENDAR</calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat></response><sync-token>next</sync-token></multistatus>`

export const accepting = (method: string): Answer =>
  method === 'REPORT' ? { status: 207, body: changed } : { status: 201, etag: '"4"' }

/** Makes her plan calendars show everything up to her last event, then applies these changes to them. */
export async function dueCalendars(db: Database, rows: string[], lastEvent: number) {
  await db.query(`update user_state set publishes = true, automatic = false, trimmed_on = '2026-03-03',
                         summarized_on = '2026-03-03', stale_since = null, last_event = ${lastEvent}
                   where user_id = '${grace}'`)
  await db.query(`update calendars set next_fetch_at = '2026-03-09' where user_id = '${grace}'`)
  await db.query(`delete from events where user_id = '${grace}' and seq > ${lastEvent - 1}`)
  if (lastEvent < 3) {
    // An event after the last one of her own, but not after that of Ada's.
    await db.query(`insert into events (user_id, seq, part, type, record_id, actor, at)
                    values ('${grace}', 3, 1, 'label.created', '${id(3, 1)}', '{}', '2026-03-01')`)
  }
  await db.query(`update plan_calendars set published_event = ${lastEvent}, next_sync_at = '2026-03-09'
                   where user_id = '${grace}'`)
  for (const [at, changes] of rows.entries()) {
    await db.query(`update plan_calendars set ${changes}
                     where user_id = '${grace}' and id = '${id(18, at + 1)}'`)
  }
}

/** Deletes all her plan calendars, and notes that there is none. */
export async function noteNone(db: Database) {
  await db.query(`delete from plan_calendars where user_id = '${grace}'`)
  await notePlanCalendars(db, grace)
}

export const newPassword = (db: Database) =>
  updatePlanCalendar(db, grace, id(18, 2), { password: 'another' }, plainSeal, now)
