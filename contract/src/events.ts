import { z } from 'zod'
import { FilterId, Id, limit, Timestamp } from './values.ts'

/** A position in the user's event stream: the number of a change, and of the record within that change. */
export const Cursor = z
  .string()
  .regex(/^\d{1,15}-\d{1,9}$/, 'Must be the id of an event')
  .meta({ examples: ['42-1'] })

const changes = ['created', 'updated', 'deleted']
const changesOf: Record<string, string[]> = {
  task: changes,
  checklistItem: changes,
  project: changes,
  space: changes,
  label: changes,
  document: changes,
  schedulePreference: changes,
  timeBlock: changes,
  recurrence: changes,
  dependency: ['created', 'deleted'],
  documentLink: ['created', 'deleted'],
  notification: ['created', 'updated'],
  user: ['created', 'updated'],
  settings: ['updated'],
  apiKey: ['created', 'deleted'],
  webhook: [...changes, 'disabled'],
  calendar: [...changes, 'refreshed'],
  feed: ['created', 'deleted'],
  connectedAccount: ['created', 'deleted'],
  planCalendar: [...changes, 'published'],
  plannerRun: ['applied', 'undone'],
  account: ['restored'],
}

/** Every event type, by the record it is about: `task.updated` is under `task`. */
export const eventTypes = new Map(
  Object.entries(changesOf).map(([record, whats]) => [
    record,
    whats.map((what) => `${record}.${what}`),
  ]),
)

const RecordState = z.record(z.string(), z.unknown()).nullable()

const reverts = Cursor.optional().meta({ description: 'The event that this change reverts' })

export const Actor = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.enum(['person', 'planner', 'system', 'calendar']), reverts }),
    z.object({ kind: z.literal('admin'), id: Id.optional(), reverts }),
    z.object({ kind: z.literal('key'), id: Id, reverts }),
  ])
  .meta({ id: 'Actor', examples: [{ kind: 'person' }] })

const example = {
  id: '42-1',
  at: '2026-03-02T08:00:00.000Z',
  type: 'label.updated',
  recordId: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e31',
  before: { name: 'home' },
  after: { name: 'house' },
  actor: { kind: 'person' },
}

export const Event = z
  .object({
    id: Cursor,
    at: Timestamp,
    type: z.string().meta({
      description: 'The kind of record and what happened to it, such as `task.updated`',
    }),
    recordId: Id,
    before: RecordState.meta({ description: 'The record before the change; null if it is new' }),
    after: RecordState.meta({ description: 'The record after the change; null if it is deleted' }),
    actor: Actor,
  })
  .meta({ id: 'Event', examples: [example] })

export const ChangesQuery = z.object({ since: Cursor.optional(), limit: limit(1000, 100) })

export const Changes = z
  .object({
    events: z.array(Event),
    next: Cursor.meta({ description: 'The cursor to send as `since` in the next request' }),
    more: z.boolean().meta({ description: 'Whether there are more events to request at once' }),
    resyncRequired: z.boolean().meta({
      description:
        'Whether events after `since` are no longer available; if so, read all records again',
    }),
  })
  .meta({
    id: 'Changes',
    examples: [{ events: [example], next: '42-1', more: false, resyncRequired: false }],
  })

export const HistoryQuery = z.object({
  recordId: FilterId,
  before: Cursor.optional(),
  limit: limit(100, 50),
})

export const History = z
  .object({
    events: z.array(Event),
    next: Cursor.nullable().meta({
      description: 'The cursor to send as `before` for older changes; null if there are none',
    }),
  })
  .meta({ id: 'History', examples: [{ events: [example], next: null }] })

/** An event's id in a path; a malformed one matches nothing (404). */
export const EventPath = z.object({ id: Cursor.catch('0-0') })

export const Reverted = z.object({ reverted: Cursor, type: z.string(), recordId: Id }).meta({
  id: 'Reverted',
  examples: [{ reverted: '42-1', type: 'label.updated', recordId: example.recordId }],
})

export type Event = z.infer<typeof Event>
export type Changes = z.infer<typeof Changes>
export type ChangesQuery = z.infer<typeof ChangesQuery>
export type History = z.infer<typeof History>
export type HistoryQuery = z.infer<typeof HistoryQuery>
export type Reverted = z.infer<typeof Reverted>
