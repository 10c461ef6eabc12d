// Work without a request: the worker's, the streams', and an operator's command.
import { setImmediate as turn } from 'node:timers/promises'
import { makeAdminOf } from '../../../server/src/auth/account-command.ts'
import { replacePassword } from '../../../server/src/auth/account.queries.ts'
import { sealWith } from '../../../server/src/auth/seal.ts'
import { signUpRules } from '../../../server/src/auth/sign-up-rules.ts'
import { readConfig } from '../../../server/src/config.ts'
import { findText, findVersion } from '../../../server/src/documents/versions.queries.ts'
import { shedAnswers } from '../../../server/src/http/write.ts'
import { openStreams } from '../../../server/src/events/streams.ts'
import solve from '../../../server/src/planner/plan-worker.ts'
import { deliver } from '../../../server/src/webhooks/deliver.ts'
import { replaceSecrets } from '../../../server/src/webhooks/seal-secrets.ts'
import { deleteWebhook } from '../../../server/src/webhooks/webhooks.queries.ts'
import { rescheduleAt } from '../../../server/src/worker/agenda.queries.ts'
import { attend } from '../../../server/src/worker/attend.ts'
import type { Database } from '../../../server/src/db/database.ts'
import { adasMark, grace, id, root } from './ids.ts'
import { hashOf, webhookSecret } from './past.ts'
import { now } from './people.ts'
import type { Probe } from './request.ts'

/** The webhook secrets here are not encrypted. */
const seal = sealWith(async () => '')

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
  act('account password', (db) => replacePassword(db, grace, 'hash', now)),
  act('whether there is an account', (db) =>
    signUpRules(db, { ...readConfig({}), HOST: '0.0.0.0' }, async () => '').state(),
  ),
  act('the worker looks after her', (db) => lookAfter(db, now)),
  act('the worker looks after her moments after a change', async (db) => {
    const done = `planned_on = '2026-03-03', summarized_on = '2026-03-03', trimmed_on = '2026-03-03'`
    await db.query(`update agendas set ${done} where user_id = '${grace}'`)
    return lookAfter(db, new Date('2026-03-02T07:50:05Z'))
  }),
  act('the worker looks after her when her history is too large', async (db) => {
    await db.query(`update agendas set history_bytes = 600000000 where user_id = '${grace}'`)
    await db.query(`update events set bytes = case seq when 18 then 400000000 else 0 end
                     where user_id = '${grace}'`)
    await db.query(`update agendas set automatic = false, trimmed_on = '2026-03-03',
                           summarized_on = '2026-03-03' where user_id = '${grace}'`)
    return lookAfter(db, now)
  }),
  ...(
    [
      [id(5, 50), 'kept'],
      [id(5, 1), adasMark],
      [id(5, 2), 'kept'],
    ] as const
  ).flatMap(([document, text]) => [
    act(`the text ${text} of ${document} is read`, (db) =>
      findText(db, grace, document, hashOf(text)),
    ),
    act(`the version ${text} of ${document} is read`, (db) =>
      findVersion(db, grace, document, hashOf(text)).catch(String),
    ),
  ]),
  act('all answers kept for her keys go', (db) => shedAnswers(db, grace, 1, now)),
  act('as many answers as she has are kept for her keys', (db) => shedAnswers(db, grace, 13, now)),
  act('it was looked after when less had happened', (db) => rescheduleAt(db, grace, 3, now)),
  act('the secret of her webhook is sealed', (db) =>
    replaceSecrets(db, grace, id(13, 1), 'sealed', null, webhookSecret),
  ),
  act('an admin’s last webhook goes', (db) => deleteWebhook(db, root, id(13, 9))),
  ...[
    { hook: 2, status: 200, tookMs: 0 },
    { hook: 2, status: 200, tookMs: 6000 }, // and its time is over
    { hook: 2, status: 500, tookMs: 0 },
    { hook: 2, status: 410, tookMs: 0 },
    { hook: 4, status: 200, tookMs: 0 },
    { hook: 5, status: 200, tookMs: 0 }, // its key was revoked
  ].map(({ hook, status, tookMs }) =>
    act(`webhook ${hook} is told, and answers ${status} after ${tookMs} ms`, async (db) => {
      const sent: string[] = []
      let time = now.getTime()
      const post = async (url: string, _headers: object, body: string) => {
        sent.push(url, body)
        time += tookMs
        return { status }
      }
      const delivering = { db, now: () => new Date(time), post, seal, retrySeconds: [1, 5] }
      await deliver(delivering, grace, id(13, hook))
      return sent.join('\n')
    }),
  ),
  ...[
    { seq: 2, part: 0 }, // before her first event, which is not Ada's first
    { seq: 5, part: 0 },
    { seq: 1_000_000, part: 0 },
    undefined,
  ].map((since) =>
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
        isFull: () => false,
        end: () => {},
        cut: () => {},
        isAllowed: async () => true,
      }
      const reader = { userId: grace, visitor: '192.0.2.1' }
      const close = await streams.open(reader, stream, since).catch(String)
      if (typeof close === 'string') return close
      // It is read while nothing else waits.
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
      enqueueDeliveries: async (userId, ids) => void called.push(userId, ...ids),
    },
    grace,
  )
  return called.join()
}
