// Every operation that writes appends an event. Generated from the OpenAPI document, so that new operations,
// and statements that do not record their change, are found.
import { eventTypes } from '@daywright/contract'
import type { OpenAPIV3_1 } from 'openapi-types'
import { exampleOf, operationsOf, owner, positionsOf, request, send } from './every-operation.ts'
import type { Database } from '../src/platform/db/database.ts'
import { lastEvent } from './events.ts'
import { describe, expect, it } from './it.ts'

type Owner = Awaited<ReturnType<typeof owner>>

/** Operations that change nothing that is recorded. */
const eventless = new Set(['previewPlan', 'findSlots', 'refreshCalendar', 'previewRecurrence'])

/** Operations that need a remote server. */
const untried = new Set([
  'previewCalendar',
  'discoverCalendars',
  'authorizeConnectedAccount',
  'createConnectedAccount',
])

/** Preconditions without which an operation has nothing to do. */
const arrange: Record<string, (me: Owner, db: Database) => Promise<unknown>> = {
  deleteConnectedAccount: async (me, db) => {
    await db.pool.query(
      `insert into connected_accounts (user_id, id, kind, email, sealed_tokens) values ($1, $2, 'google', '', '')`,
      [me.id, me.ids.connectedAccountId],
    )
  },
  addDependency: ({ delete: remove, ids }) =>
    remove(`/api/tasks/${ids.taskId}/dependencies/${ids.otherTaskId}`),
  linkDocument: ({ delete: remove, ids }) =>
    remove(`/api/tasks/${ids.taskId}/documents/${ids.documentId}`),
  resumeRecurrence: ({ post, ids }) => post(`/api/recurrences/${ids.recurrenceId}/pause`),
  unskipOccurrence: ({ post, ids }) =>
    post(`/api/recurrences/${ids.recurrenceId}/skip`, { day: '2026-03-13' }),
  // The split has moved that day to another recurrence.
  skipOccurrence: async ({ post, ids }) =>
    (ids.recurrenceId = (
      await post('/api/recurrences', {
        kind: 'calendar',
        rule: 'FREQ=WEEKLY;BYDAY=FR',
        startsOn: '2026-03-02',
        task: { title: 'Skipped' },
      })
    ).body.id),
  reorderTimeBlocks: ({ patch, ids }) => patch(`/api/time-blocks/${ids.blockId}`, { sortOrder: 5 }),
  extendTimeBlock: ({ patch, ids }) =>
    patch(`/api/time-blocks/${ids.blockId}`, { status: 'scheduled' }),
  skipTimeBlock: ({ patch, ids }) =>
    patch(`/api/time-blocks/${ids.blockId}`, { status: 'scheduled' }),
  decideOnMissedBlocks: ({ patch, ids }) =>
    patch(`/api/time-blocks/${ids.blockId}`, {
      startAt: '2026-03-01T09:00:00Z',
      endAt: '2026-03-01T10:00:00Z',
      status: 'scheduled',
    }),
  startTimeBlock: ({ patch, ids }) =>
    patch(`/api/time-blocks/${ids.blockId}`, { status: 'scheduled' }),
  stopTimeBlock: ({ patch, ids }) =>
    patch(`/api/time-blocks/${ids.blockId}`, { status: 'in_progress' }),
  updateWebhook: ({ patch, ids }) => patch(`/api/webhooks/${ids.webhookId}`, { enabled: false }),
  markAllRead: ({ post }) => post('/api/notifications', { type: 'morning_summary' }),
  markRead: async ({ post, get, ids }) => {
    await post('/api/tasks', { title: 'At risk', dueAt: '2026-03-02T12:00:00Z' })
    await post('/api/notifications', { type: 'at_risk' })
    ids.notificationId = (await get('/api/notifications')).body.notifications[0].id
  },
  applyPlannerRun: async ({ post, ids }) =>
    (ids.runId = (await post('/api/planner/preview')).body.id),
  // As if the webhook had existed, and had received the event, when it happened.
  redeliverEvent: ({ ids }, db) =>
    db.pool.query('update webhooks set first_event = 0 where id = $1', [ids.webhookId]),
  undoPlannerRun: async ({ post, get, ids }) => {
    await post('/api/planner')
    ids.runId = (await get('/api/planner/runs')).body.runs[0].id
  },
}

describe('every operation that writes', () => {
  it('appends an event', async ({ app, db, grace }) => {
    const me = await owner(app, 'mine')
    await db.pool.query(`update users set role = 'admin' where id = $1`, [me.id])
    const { body } = await app.inject('/api/openapi.json')
    const document = JSON.parse(body) as OpenAPIV3_1.Document
    const silent: string[] = []
    let swept = 0

    for (const operation of inOrder(operationsOf(document))) {
      const name = operation.operation.operationId ?? ''
      if (untried.has(name)) continue
      await arrange[name]?.(me, db)
      const whose = operation.path.startsWith('/api/admin/') ? grace : me
      const ids = { ...me.ids, userId: whose.id }
      const before = await lastEvent(db, whose)
      const sent = request(operation, positionsOf(document, operation), ids, exampleOf(operation))
      const { status, text } = await send(app, operation.method, sent, me.cookie)
      const events = (await lastEvent(db, whose)) - before
      swept += 1
      if (status >= 300 || (events === 0) !== eventless.has(name)) {
        silent.push(`${name}: ${status} ${text.slice(0, 200)}, ${events} events`)
      }
    }

    expect(silent).toEqual([])
    // A webhook may subscribe to each type.
    const { rows } = await db.pool.query<{ type: string }>('select distinct type from events')
    const known = [...eventTypes.values()].flat()
    expect(rows.map(({ type }) => type).filter((type) => !known.includes(type))).toEqual([])
    expect(rows.length).toBeGreaterThan(20)
    expect(swept).toBeGreaterThan(35)
  })
})

/** All writes except those of the queue's jobs, which belong to no user; parts are deleted before the whole. */
function inOrder(all: ReturnType<typeof operationsOf>) {
  const operations = all.filter(({ path }) => !path.startsWith('/api/admin/jobs'))
  const depth = ({ path }: { path: string }) => path.split('/').length
  const isTask = ({ path }: { path: string }) => Number(path === '/api/tasks/{id}')
  return [
    ...operations.filter(({ method }) => method !== 'DELETE' && method !== 'GET'),
    ...operations
      .filter(({ method }) => method === 'DELETE')
      .toSorted((a, b) => isTask(a) - isTask(b) || depth(b) - depth(a)),
  ]
}
