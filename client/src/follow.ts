// What happens: asked for, listened to, or sent to a URL.
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
import { z } from 'zod'
import { at, type Call, type Sent } from './call.ts'
import { messagesOf } from './messages.ts'

export const follow = (call: Call) => {
  const listChanges = (query?: Partial<ChangesQuery>) => call.get(Changes, '/api/changes', query)

  async function* allChanges(since?: string) {
    for (let next = since; ;) {
      const page = await listChanges({ ...(next !== undefined && { since: next }), limit: 1000 })
      yield* page.events
      if (!page.more) return
      next = page.next
    }
  }

  /** What changes from now on, or from `since`. Ends with the connection; go on from the last id. */
  async function* followEvents(since?: string) {
    const headers: Record<string, string> = since === undefined ? {} : { 'last-event-id': since }
    const response = await call.open('/api/events', headers)
    for await (const { data } of messagesOf(response)) yield Event.parse(JSON.parse(data))
  }

  return {
    changes: { list: listChanges, all: allChanges },

    events: { follow: followEvents },

    history: {
      list: (query?: Partial<HistoryQuery>) => call.get(History, '/api/history', query),
      /** Takes one change back, where that is still possible. */
      revert: (eventId: string) =>
        call.post(Reverted, `/api/history/${encodeURIComponent(eventId)}/revert`),
    },

    webhooks: {
      list: () => call.get(z.array(Webhook), '/api/webhooks'),
      /** The answer is the only one that holds the secret. */
      create: (webhook: Sent<typeof NewWebhook>) =>
        call.post(IssuedWebhook, '/api/webhooks', webhook),
      update: (id: string, changes: Sent<typeof WebhookChanges>) =>
        call.patch(Webhook, at`/api/webhooks/${id}`, changes),
      delete: (id: string) => call.delete(at`/api/webhooks/${id}`),
      rotateSecret: (id: string) => call.post(WebhookSecret, at`/api/webhooks/${id}/secret`),
      deliveries: (id: string) => call.get(z.array(Delivery), at`/api/webhooks/${id}/deliveries`),
      /** This event and all after it again, in order, each with the same id. */
      redeliver: (id: string, eventId: string) =>
        call.post(Webhook, at`/api/webhooks/${id}/redeliver`, { eventId }),
    },
  }
}
