// What is done without a request: the worker's part, the streams', and an operator's command.
import { setImmediate as turn } from 'node:timers/promises'
import { makeAdminOf } from '../../../server/src/auth/account-command.ts'
import { openStreams } from '../../../server/src/events/streams.ts'
import solve from '../../../server/src/planner/plan-worker.ts'
import { deliver } from '../../../server/src/webhooks/deliver.ts'
import { deleteWebhook } from '../../../server/src/webhooks/webhooks.queries.ts'
import { settleUntil } from '../../../server/src/worker/agenda.queries.ts'
import { attend } from '../../../server/src/worker/attend.ts'
import type { Database } from '../../../server/src/db/database.ts'
import { grace, id, root } from './ids.ts'
import { now } from './people.ts'
import type { Probe } from './request.ts'

const act = (name: string, work: (db: Database) => Promise<unknown>): Probe => ({
  name,
  operation: '',
  method: '',
  url: '',
  headers: {},
  act: work,
})

export const acts: Probe[] = [
  act('account make-admin', (db) => makeAdminOf(db, 'grace@example.com')),
  act('the worker looks after her', (db) => lookAfter(db, now)),
  act('the worker looks after her moments after a change', async (db) => {
    const done = `planned_on = '2026-03-03', summarized_on = '2026-03-03', trimmed_on = '2026-03-03'`
    await db.query(`update agendas set ${done} where user_id = '${grace}'`)
    return lookAfter(db, new Date('2026-03-02T07:50:05Z'))
  }),
  act('it was looked after when less had happened', (db) => settleUntil(db, grace, 3, now)),
  act('an admin’s last webhook goes', (db) => deleteWebhook(db, root, id(13, 9))),
  ...[
    { hook: 2, status: 200, tookMs: 0 },
    { hook: 2, status: 200, tookMs: 6000 }, // and its turn is over
    { hook: 2, status: 500, tookMs: 0 },
    { hook: 2, status: 410, tookMs: 0 },
    { hook: 4, status: 200, tookMs: 0 },
  ].map(({ hook, status, tookMs }) =>
    act(`webhook ${hook} is told, and answers ${status} after ${tookMs} ms`, async (db) => {
      const sent: string[] = []
      let time = now.getTime()
      const post = async (url: string, _headers: object, body: string) => {
        sent.push(url, body)
        time += tookMs
        return { status }
      }
      const delivering = { db, now: () => new Date(time), post, retrySeconds: [1, 5] }
      await deliver(delivering, grace, id(13, hook))
      return sent.join('\n')
    }),
  ),
  ...[{ seq: 4, part: 0 }, undefined].map((since) =>
    act(`her events are followed from ${JSON.stringify(since)}`, async (db) => {
      let sent = ''
      const streams = openStreams(
        db,
        { phase: 'serving' },
        { error: (error) => void (sent += error) },
      )
      const stream = {
        begin: () => {},
        write: (text: string) => void (sent += text),
        end: () => {},
        isAllowed: async () => true,
      }
      const close = await streams.open(grace, stream, since)
      // It is read while we wait for nothing.
      for (let turns = 0; turns < 3; turns += 1) {
        await db.query('select')
        await turn()
      }
      close()
      return sent
    }),
  ),
]

async function lookAfter(db: Database, time: Date) {
  const called: string[] = []
  await attend(
    {
      db,
      now: () => time,
      solve: async (problem) => solve(problem),
      callDeliverer: async (userId, ids) => void called.push(userId, ...ids),
    },
    grace,
  )
  return called.join()
}
