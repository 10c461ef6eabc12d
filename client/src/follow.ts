// Events: polled, streamed, or sent to a URL.
import {
  Changes,
  type ChangesQuery,
  Delivery,
  Event,
  History,
  type HistoryQuery,
  IssuedWebhook,
  type NewWebhook,
  Reverted,
  Webhook,
  type WebhookChanges,
  WebhookSecret,
} from '@daywright/contract'
import { at, type Call, type Sent } from './call.ts'
import { messagesOf } from './messages.ts'

/**
 * Thrown if the service was restored from a backup, or has deleted the events because of their age: read
 * everything again, then continue from `next`.
 */
export class ResyncRequired extends Error {
  readonly next: string

  constructor(next: string) {
    super('Some events are no longer available: read everything again')
    this.next = next
  }
}

export const follow = (call: Call) => {
  const listChanges = (query?: Partial<ChangesQuery>) => call.get(Changes, '/api/changes', query)

  /** The changes after `since`. Throws `ResyncRequired` if the service no longer has all of them. */
  async function* allChanges(since?: string) {
    for (let next = since; ;) {
      const page = await listChanges({ ...(next !== undefined && { since: next }), limit: 1000 })
      if (page.resyncRequired && next !== undefined) throw new ResyncRequired(page.next)
      yield* page.events
      if (!page.more) return
      next = page.next
    }
  }

  /**
   * Streams events from now on, or after `since`. Ends with the connection; continue from the last id.
   * Throws `ResyncRequired` if the service no longer has all events after `since`.
   */
  async function* followEvents(since?: string) {
    const headers: Record<string, string> = since === undefined ? {} : { 'last-event-id': since }
    const response = await call.open('/api/events', headers)
    for await (const { id, event, data } of messagesOf(response)) {
      if (event === 'reset') throw new ResyncRequired(id)
      yield Event.parse(JSON.parse(data))
    }
  }

  return {
    changes: { list: listChanges, all: allChanges },

    events: { follow: followEvents },

    history: {
      list: (query?: Partial<HistoryQuery>) => call.get(History, '/api/history', query),
      /** Reverts one change, if that is still possible. */
      revert: (eventId: string) =>
        call.post(Reverted, `/api/history/${encodeURIComponent(eventId)}/revert`),
    },

    webhooks: {
      list: () => call.get(Webhook.array(), '/api/webhooks'),
      /** Only this response contains the secret. */
      create: (webhook: Sent<typeof NewWebhook>) =>
        call.post(IssuedWebhook, '/api/webhooks', webhook),
      update: (id: string, changes: Sent<typeof WebhookChanges>) =>
        call.patch(Webhook, at`/api/webhooks/${id}`, changes),
      delete: (id: string) => call.delete(at`/api/webhooks/${id}`),
      rotateSecret: (id: string) => call.post(WebhookSecret, at`/api/webhooks/${id}/secret`),
      deliveries: (id: string) => call.get(Delivery.array(), at`/api/webhooks/${id}/deliveries`),
      /** Delivers this event and all after it again, in order, each with the same id. */
      redeliver: (id: string, eventId: string) =>
        call.post(Webhook, at`/api/webhooks/${id}/redeliver`, { eventId }),
    },
  }
}
