// Work that is not part of a request: that of the worker, of the event streams, and of an operator's command.
import { setImmediate as turn } from 'node:timers/promises'
import { makeAdminOf } from '../../../server/src/features/account/account-command.ts'
import { replacePassword } from '../../../server/src/features/account/account.queries.ts'
import { encryptWith } from '../../../server/src/platform/auth/encryption.ts'
import { signUpRules } from '../../../server/src/features/account/sign-up-rules.ts'
import { readConfig } from '../../../server/src/config.ts'
import { encryptAgain } from '../../../server/src/features/account/rotate-secret.ts'
import { updateCalendar } from '../../../server/src/features/calendars/calendars.queries.ts'
import { createHostLimiter } from '../../../server/src/features/calendars/hosts.ts'
import { previewCalendar } from '../../../server/src/features/calendars/preview-calendar.ts'
import { refreshCalendar } from '../../../server/src/features/calendars/refresh-calendar.ts'
import { findText, findVersion } from '../../../server/src/features/documents/versions.queries.ts'
import { findFeed, listFeedBlocks } from '../../../server/src/features/feeds/feeds.queries.ts'
import { shedAnswers } from '../../../server/src/platform/http/idempotency.ts'
import type { LimitSlow } from '../../../server/src/platform/outbound/limit-slow.ts'
import { openStreams } from '../../../server/src/features/activity/streams.ts'
import solve from '../../../server/src/features/planner/plan-worker.ts'
import { runPlanner } from '../../../server/src/features/planner/run-planner.ts'
import { updateTask } from '../../../server/src/features/tasks/tasks.queries.ts'
import { deliver } from '../../../server/src/features/webhooks/deliver.ts'
import { replaceSecrets } from '../../../server/src/features/webhooks/seal-secrets.ts'
import { deleteWebhook } from '../../../server/src/features/webhooks/webhooks.queries.ts'
import { rescheduleAt } from '../../../server/src/jobs/user-jobs.queries.ts'
import { runUserJobs } from '../../../server/src/jobs/run-user-jobs.ts'
import type { Database } from '../../../server/src/platform/db/database.ts'
import type { Fetched } from '../../../server/src/platform/outbound/http-get.ts'
import { adasMark, grace, id, root } from './ids.ts'
import { hashOf, webhookSecret } from './past.ts'
import { feedHash, now } from './people.ts'
import { connect, readOfAccount, useState } from './connected-accounts.ts'
import { readerHere } from '../../../server/test/reader-here.ts'
import { emptyReading, reading } from './reading.ts'
import { accepting, dueCalendars, newPassword, noteNone, plainSeal, publish } from './publish.ts'
import { adopt, deletePlanned, putOff, settleLater } from './recurrences.ts'
import type { Probe } from './request.ts'

/** The webhook secrets here are not encrypted. */
const seal = encryptWith({ current: async () => '', former: async () => [] })

const unlimited: LimitSlow = (work) => work(new AbortController().signal)

const act = (name: string, work: (db: Database) => Promise<unknown>): Probe => ({
  name,
  operation: '',
  method: '',
  url: '',
  headers: {},
  act: work,
})

const file = (names: string) => ({
  kind: 'body',
  content: { body: Buffer.from(names), encoding: null },
})

export const acts: Probe[] = [
  act('account make-admin', (db) => makeAdminOf(db, 'grace@example.com')),
  act('account password', (db) => replacePassword(db, grace, 'hash', now)),
  act('whether there is an account', (db) =>
    signUpRules(db, { ...readConfig({}), HOST: '0.0.0.0' }, async () => '').state(),
  ),
  act('her feed is read', async (db) =>
    JSON.stringify(await findFeed(db, { userId: grace, hash: feedHash }, now)),
  ),
  act('the blocks of her feed are read', async (db) =>
    JSON.stringify(await listFeedBlocks(db, grace, now)),
  ),
  act('the feed of her disabled account is read', async (db) => {
    await db.query(`update users set disabled_at = '2026-03-01' where id = '${grace}'`)
    const reading = findFeed(db, { userId: grace, hash: feedHash }, now)
    return reading.then(JSON.stringify, String)
  }),
  act('her recurrences are settled weeks later, elsewhere', settleLater),
  act('a recurrence with a planned occurrence is deleted', deletePlanned),
  act('a task becomes an occurrence', adopt),
  act('the worker looks after her', async (db) => {
    await putOff(db)
    return lookAfter(db, now)
  }),
  act('the worker looks after her moments after a change', async (db) => {
    const done = `planned_on = '2026-03-03', summarized_on = '2026-03-03', trimmed_on = '2026-03-03'`
    await db.query(`update user_state set ${done} where user_id = '${grace}'`)
    await db.query(
      `update calendars set next_fetch_at = '2026-03-02T08:30Z' where user_id = '${grace}'`,
    )
    // No block counts as missed: those that have ended are completed, or their task is closed or not planned.
    await db.query(`update time_blocks set status = 'completed'
                     where user_id = '${grace}' and id in ('${id(8, 10)}', '${id(8, 13)}')`)
    await db.query(`update time_blocks set start_at = '2026-03-02T07:00Z', end_at = '2026-03-02T07:10Z'
                     where user_id = '${grace}' and id = '${id(8, 17)}'`)
    return lookAfter(db, new Date('2026-03-02T07:50:05Z'))
  }),
  ...[
    { name: 'two events before her last', since: 2 },
    { name: 'her last event', since: 0 }, // what came next is not known
  ].map(({ name, since }) =>
    act(`the worker looks after her when she was planned up to ${name}`, async (db) => {
      await putOff(db)
      const last = `(select max(seq) from events where user_id = '${grace}')`
      await db.query(
        `update planner_runs set last_event = ${last} - ${since} where user_id = '${grace}'`,
      )
      return lookAfter(db, now)
    }),
  ),
  act('a task of hers changes while she is planned', async (db) => {
    // Ada's last event has the same number.
    await db.query(`delete from events where user_id = '${grace}' and seq > 3`)
    await db.query(`update user_state set last_event = 3 where user_id = '${grace}'`)
    let isChanged = false
    const request = {
      userId: grace,
      now,
      kind: 'requested',
      solve: async (problem: string) => {
        if (!isChanged) await updateTask(db, grace, id(6, 2), { estimateMinutes: 55 }, now)
        isChanged = true
        return solve(problem)
      },
    } as const
    return runPlanner(db, request, async (_, { result }) => JSON.stringify(result))
  }),
  act('the worker looks after her when her history is too large', async (db) => {
    await putOff(db)
    await db.query(`update user_state set history_bytes = 600000000 where user_id = '${grace}'`)
    await db.query(`update events set bytes = case seq when 18 then 400000000 else 0 end
                     where user_id = '${grace}'`)
    await db.query(`update user_state set automatic = false, trimmed_on = '2026-03-03',
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
  act('it was looked after when less had happened', (db) =>
    rescheduleAt(db, grace, { lastEvent: 3, dueAt: new Date('2026-03-02T07:00:00Z') }, now),
  ),
  act('the secret of her webhook is sealed', (db) =>
    replaceSecrets(db, {
      userId: grace,
      id: id(13, 1),
      sealed: 'sealed',
      formerSealed: null,
      secret: webhookSecret,
    }),
  ),
  act('an admin’s last webhook goes', (db) => deleteWebhook(db, root, id(13, 9))),
  ...[
    { hook: 2, status: 200, tookMs: 0 },
    { hook: 2, status: 200, tookMs: 6000 }, // longer than the job may take
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
      await deliver({ ...delivering, limitSlow: unlimited }, grace, id(13, hook))
      return sent.join('\n')
    }),
  ),
  act('webhook 2 is postponed, because too many receivers are slow', (db) => {
    const post = async () => ({ error: 'aborted' })
    const limitSlow: LimitSlow = (work) => work(AbortSignal.abort())
    const delivering = { db, now: () => now, post, limitSlow, seal, retrySeconds: [1, 5] }
    return deliver(delivering, grace, id(13, 2))
  }),
  act('a calendar is previewed for her', async (db) => {
    const get = async () => ({ ...file('stored'), etag: null, lastModified: null }) as Fetched
    const reader = readerHere((_files, { zone, addresses = [] }) => ({
      ...emptyReading,
      name: addresses.join(),
      zone,
      // Events of blocks: one of both people's, and two that only Ada has.
      occurrences: [1, 0x101, 0x201].map((block) => ({
        ...occurrence,
        key: '',
        uid: `${id(8, block)}@daywright`,
        startAt: '2026-03-03T10:00:00.000Z',
        endAt: '2026-03-03T11:00:00.000Z',
      })),
    }))
    const previewing = { get, request: notAsked, ...reading(reader), now: () => now }
    return JSON.stringify(await previewCalendar(previewing, db, grace, 'https://example.com/'))
  }),
  ...[
    ['is unchanged', { kind: 'unchanged' }],
    ['fails', { kind: 'failed', error: 'The server answered 500' }],
    ['fails as before', { kind: 'failed', error: 'as before' }],
    ['has another event', file('stored later another')],
    ['has an event in the horizon', file('stored later soon')],
    ['has what is stored', file('stored later')],
    ['has lost an event', file('stored')],
    ['has lost an event of the horizon', file('later')],
    ['is on a busy host', undefined],
  ].map(([what, fetched]) => act(`her calendar ${what as string}`, (db) => refresh(db, fetched))),
  act('the key that added her calendar has ended', (db) =>
    refresh(db, { kind: 'unchanged' }, id(15, 2)),
  ),
  ...[{ url: 'https://example.com/b.ics' }, { username: 'grace', password: 'another secret' }].map(
    (changes) =>
      act(`her calendar gets another ${Object.keys(changes)[0]}`, (db) =>
        updateCalendar(
          db.as({ kind: 'key', id: id(10, 1) }),
          grace,
          id(15, 1),
          changes,
          plainSeal,
          now,
        ),
      ),
  ),
  ...['nothing', 'a change', 'a deletion'].map((what) =>
    act(`her calendar at a CalDAV server has ${what}`, (db) => refreshObjects(db, what)),
  ),
  act('her texts are encrypted again', async (db) =>
    JSON.stringify(await encryptAgain(db, renewing, 'new ', grace)),
  ),
  act('her plan is shown for the first time', (db) => publish(db, 1, accepting)),
  act('her plan is brought up to date', (db) => publish(db, 2, accepting)),
  act('her plan is refused', (db) => publish(db, 1, () => ({ status: 500 }))),
  act('her plan waits for a busy host', (db) => publish(db, 1, () => undefined)),
  act('her plan is removed', async (db) => {
    await db.query(`update plan_calendars set removing = true where user_id = '${grace}'`)
    return publish(db, 2, accepting)
  }),
  act('a calendar of her plan gets another password', newPassword),
  act('she uses the state of an authorization', useState),
  act('an account is connected for her', (db) => connect(db, 'new')),
  act('her account is connected again', (db) => connect(db, 'me')),
  act('the calendar of her account is read', readOfAccount),
  act('no calendar shows her plan any more', noteNone),
  ...Object.entries({
    'is due': { rows: [`next_sync_at = '2026-03-01'`], lastEvent: 2 },
    'is not due': { rows: [], lastEvent: 21 },
    'shows less than has happened': { rows: ['published_event = 20'], lastEvent: 21 },
    'is due, and another shows less': {
      rows: [`next_sync_at = '2026-03-01'`, 'published_event = 20'],
      lastEvent: 21,
    },
  }).map(([what, { rows, lastEvent }]) =>
    act(`the worker looks after her when a calendar of her plan ${what}`, async (db) => {
      await putOff(db)
      await dueCalendars(db, rows, lastEvent)
      return lookAfter(db, now)
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

const renewing = { ...plainSeal, close: async (text: string) => `new ${text}` }

const occurrence = {
  uid: 'a',
  isAllDay: false,
  isBusy: true,
  isTentative: false,
  title: 'graces',
  location: null,
}
const spans: Record<string, [string, string]> = {
  stored: ['2026-03-02T10:00:00.000Z', '2026-03-02T11:00:00.000Z'],
  soon: ['2026-03-03T10:00:00.000Z', '2026-03-03T11:00:00.000Z'],
  later: ['2026-06-01T10:00:00.000Z', '2026-06-01T11:00:00.000Z'],
  another: ['2026-05-03T10:00:00.000Z', '2026-05-03T11:00:00.000Z'],
}

/**
 * Refreshes her first calendar, whose address is Ada's as well. Its server gives this answer; undefined if the server
 * must not be asked now.
 */
async function refresh(db: Database, fetched: unknown, calendarId = id(15, 1)) {
  const hosts = createHostLimiter()
  if (fetched === undefined) hosts.rest('example.com', grace, now, 60)
  await refreshCalendar(
    {
      db,
      now: () => now,
      get: async (_url, { etag = 'not asked with', beforeBody }) => {
        await beforeBody?.()
        return { lastModified: null, ...(fetched as { kind: 'unchanged' }), etag }
      },
      request: notAsked,
      ...reading(
        readerHere((files, { limits }) => ({
          ...emptyReading,
          occurrences: Buffer.from(files as Uint8Array)
            .toString()
            .split(' ')
            .map((key) => {
              const [startAt = '', endAt = ''] = spans[key] ?? []
              return { ...occurrence, key, startAt, endAt }
            }),
          // The limit shows how many events her other calendars have.
          skippedCount: limits?.occurrences ?? 0,
        })),
      ),
      seal: plainSeal,
      providers: {},
      hosts,
      random: () => 0.5,
    },
    grace,
    calendarId,
  )
  return ''
}

const notAsked = async () => ({ kind: 'failed', error: 'not asked' }) as const

const multistatus = (...responses: string[]) =>
  `<multistatus xmlns="DAV:">${responses.join('')}<sync-token>next</sync-token></multistatus>`
const changed = (path: string, data = '') =>
  `<response><href>${path}</href><propstat><prop><getetag>3</getetag>${data}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`
const deleted = (path: string) =>
  `<response><href>${path}</href><status>HTTP/1.1 404 Not Found</status></response>`
const onlyAdas = changed('/c/only-adas.ics').replace('3', '2')
const data = '<calendar-data xmlns="urn:ietf:params:xml:ns:caldav">new</calendar-data>'

/** Refreshes her calendar on a CalDAV server, whose files have the same paths as Ada's. */
async function refreshObjects(db: Database, what: string) {
  const seen: string[] = []
  const listed = {
    nothing: multistatus(changed('/c/a.ics').replace('3', '1')),
    // The second file is new to Grace, but Ada has it already.
    'a change': multistatus(changed('/c/a.ics'), onlyAdas),
    'a deletion': multistatus(deleted('/c/b.ics')),
  }[what]
  await refreshCalendar(
    {
      db,
      now: () => now,
      providers: {},
      get: notAsked,
      request: async (_url, { body, beforeBody }) => {
        seen.push(body)
        await beforeBody?.()
        const isList = body.includes('sync-collection')
        const read = ['/c/a.ics', '/c/only-adas.ics'].map((path) => changed(path, data))
        const answer = isList ? (listed ?? '') : multistatus(...read)
        return {
          kind: 'answered',
          status: 207,
          content: { body: Buffer.from(answer), encoding: null },
          location: null,
          etag: null,
        }
      },
      ...reading(
        readerHere((files) => {
          seen.push((files as Uint8Array[]).map((each) => Buffer.from(each).toString()).join())
          return emptyReading
        }),
      ),
      seal: plainSeal,
      hosts: createHostLimiter(),
      random: () => 0.5,
    },
    grace,
    id(15, 3),
  )
  return seen.join('\n')
}

async function lookAfter(db: Database, time: Date) {
  const called: string[] = []
  await runUserJobs(
    {
      db,
      now: () => time,
      solve: async (problem) => solve(problem),
      enqueueDeliveries: async (userId, ids) => void called.push(userId, ...ids),
      enqueueRefreshes: async (userId, ids) => void called.push(userId, ...ids),
      enqueuePlans: async (userId, ids) => void called.push(userId, ...ids),
    },
    grace,
  )
  return called.join()
}
