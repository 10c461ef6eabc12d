import type { Delivery, IssuedWebhook, Webhook, WebhookSecret } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'

export const createWebhook = (url: string, types: string[] | null): Action<IssuedWebhook> => ({
  send: () => api.webhooks.create({ url, types }),
  refreshes: [keys.webhooks],
})

export const enableWebhook = (webhook: Webhook, enabled: boolean): Action => ({
  says: enabled ? 'Sending resumes where it stopped.' : 'No more events are sent.',
  expect: ({ update }) =>
    update<Webhook[]>(keys.webhooks, (all) =>
      all.map((each) =>
        each.id === webhook.id ? { ...each, enabled, disabledReason: null } : each,
      ),
    ),
  send: () => api.webhooks.update(webhook.id, { enabled }),
  refreshes: [keys.webhooks],
  undo: () => enableWebhook(webhook, !enabled),
})

export const rotateSecret = (webhook: Webhook): Action<WebhookSecret> => ({
  send: () => api.webhooks.rotateSecret(webhook.id),
  refreshes: [keys.webhooks],
})

export const redeliver = (webhook: Webhook, { eventId }: Delivery): Action => ({
  says: 'This event and all later ones will be sent again.',
  send: () => api.webhooks.redeliver(webhook.id, eventId),
  refreshes: [keys.webhooks],
})

export const deleteWebhook = (webhook: Webhook): Action => ({
  says: `Stopped sending to ${URL.parse(webhook.url)?.host ?? webhook.url}.`,
  expect: ({ update }) =>
    update<Webhook[]>(keys.webhooks, (all) => all.filter(({ id }) => id !== webhook.id)),
  send: () => api.webhooks.delete(webhook.id),
  refreshes: [keys.webhooks],
})
