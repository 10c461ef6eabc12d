import fc from 'fast-check'
import { bodyFor, call, creatorOf, expect, idFor, invalid, success } from '../call.ts'
import { command, event } from '../command.ts'
import { freshId } from '../fresh-id.ts'
import { now, edit, touch, type Webhook } from '../model.ts'
import { listedWebhooks, webhookOf } from '../show.ts'
import { body, type Field, flag, pick, type Sent } from '../values.ts'
import { forget } from '../world.ts'

const notFound = { error: 'Webhook not found' }
/** Well-formed URLs that webhooks may not be sent to. */
const notAllowed = ['http://127.0.0.1:8080/', 'http://[::1]/', 'https://example.com:25/']
const isRefused = (url: unknown) => notAllowed.includes(String(url))

const rules = { scopes: ['webhooks', 'read'] }

const url: Field = {
  good: fc
    .constantFrom(
      'https://example.com/hook',
      'http://1.1.1.1:8080/',
      'http://[2606:4700::1111]/?q=ä#x',
      ...notAllowed,
    )
    .map((value): Sent => ({ value, stored: value })),
  bad: fc
    .constantFrom<unknown>(
      '',
      'hook',
      'ftp://example.com',
      'http://me:pw@example.com',
      'a\0',
      7,
      null,
    )
    .map((value): Sent => ({ value, bad: '' })),
}
const types: Field = {
  good: fc
    .constantFrom<unknown>(null, ['task'], ['task', 'label.updated'])
    .map((value): Sent => ({ value, stored: value })),
  bad: fc.constantFrom<Sent>(
    { value: [], bad: '' },
    { value: 'task', bad: '' },
    { value: ['task.'], bad: '.0' },
    { value: ['tasks'], bad: '.0' },
    { value: ['task', 'task.done'], bad: '.1' },
    { value: ['task', 7], bad: '.1' },
    { value: Array(51).fill('task'), bad: '' },
  ),
}
const secret = (value: unknown) =>
  /^whsec_[\w+/]{32}$/.test(String(value)) ? undefined : 'should be a secret'
const cursor = (value: unknown) =>
  /^(0-0|[1-9]\d*-[1-9]\d*)$/.test(String(value)) ? undefined : 'should be the last event so far'

const places = ['1-1', '2-1', '3-1', '0-0', '999999999999999-1', 'x', '1', '']

const hookPath = (segment: string, rest = '') => `/api/webhooks/${segment}${rest}`

export const webhooks = [
  command('listWebhooks', {}, fc.constant({}), async (scene) => {
    const operation = 'listWebhooks'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/webhooks' })
    if (answer) expect(answer, operation, 200, listedWebhooks(scene.me))
  }),

  command('createWebhook', rules, body({ url, types }, ['url']), async (scene, drawn) => {
    const operation = 'createWebhook'
    const { me } = scene
    const given = bodyFor(scene, drawn)
    const answer = await call(scene, {
      operation,
      method: 'POST',
      path: '/api/webhooks',
      rules,
      body: given,
    })
    if (!answer) return
    if (isRefused(given.values.url)) return expect(answer, operation, 400, invalid('url'))
    if (me.rows.webhooks.size >= 25) {
      const error = 'At most 25 webhooks; delete one first'
      return expect(answer, operation, 409, { error })
    }
    const createdAt = now(answer)
    const webhook: Webhook = {
      id: freshId(scene, answer),
      url: given.values.url,
      types: given.values.types ?? null,
      enabled: true,
      lastEventId: String(answer.body?.lastEventId),
      firstEvent: Number.parseInt(String(answer.body?.lastEventId), 10),
      disabledReason: null,
      createdBy: creatorOf(scene),
      secret: String(answer.body?.secret),
      createdAt,
      updatedAt: createdAt,
    }
    expect(answer, operation, 201, { ...webhookOf(webhook), secret, lastEventId: cursor })
    me.rows.webhooks.set(webhook.id, webhook)
  }),

  command(
    'updateWebhook',
    rules,
    fc.record({ pick, changes: body({ url, types, enabled: flag }) }),
    async (scene, { pick, changes }) => {
      const operation = 'updateWebhook'
      const { segment, found } = idFor(scene, 'webhooks', pick)
      const given = bodyFor(scene, changes)
      if (given.bad.length === 0 && Object.keys(given.values).length === 0) given.bad.push('body')
      const path = hookPath(segment)
      const answer = await call(scene, { operation, method: 'PATCH', path, rules, body: given })
      if (!answer) return
      if (isRefused(given.values.url)) return expect(answer, operation, 400, invalid('url'))
      const webhook = scene.me.rows.webhooks.get(found)
      if (!webhook) return expect(answer, operation, 404, notFound)
      const { url = webhook.url, enabled } = given.values
      edit(webhook, answer, () => {
        if (url !== webhook.url || (enabled && !webhook.enabled)) {
          webhook.createdBy = creatorOf(scene)
        }
        if (enabled !== undefined) webhook.disabledReason = null
        Object.assign(webhook, given.values)
      })
      expect(answer, operation, 200, webhookOf(webhook))
    },
  ),

  command('deleteWebhook', rules, pick, async (scene, pick) => {
    const operation = 'deleteWebhook'
    const { segment, found } = idFor(scene, 'webhooks', pick)
    const answer = await call(scene, {
      operation,
      method: 'DELETE',
      path: hookPath(segment),
      rules,
    })
    if (!answer) return
    if (!found) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, success)
    forget(scene.me, 'webhooks', found)
  }),

  command('rotateWebhookSecret', rules, pick, async (scene, pick) => {
    const operation = 'rotateWebhookSecret'
    const { segment, found } = idFor(scene, 'webhooks', pick)
    const path = hookPath(segment, '/secret')
    const answer = await call(scene, { operation, method: 'POST', path, rules })
    if (!answer) return
    const webhook = scene.me.rows.webhooks.get(found)
    if (!webhook) return expect(answer, operation, 404, notFound)
    const former = webhook.secret
    expect(answer, operation, 200, {
      secret: (value: unknown) => (value === former ? 'should be another' : secret(value)),
    })
    webhook.secret = answer.body.secret
    touch(webhook, answer)
  }),

  command('listDeliveries', {}, pick, async (scene, pick) => {
    const operation = 'listDeliveries'
    const { segment, found } = idFor(scene, 'webhooks', pick)
    const path = hookPath(segment, '/deliveries')
    const answer = await call(scene, { operation, method: 'GET', path })
    if (!answer) return
    if (!found) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, [])
  }),

  command(
    'redeliverEvent',
    rules,
    fc.record({
      pick,
      /** Whether to choose a webhook with a delivered event, if there is one. */
      isLikely: fc.boolean(),
      place: fc.constantFrom(...Array<string>(6).fill('delivered'), ...places),
    }),
    async (scene, { pick, isLikely, place }) => {
      const operation = 'redeliverEvent'
      const likely = [...scene.me.rows.webhooks.values()].find(
        ({ lastEventId, firstEvent }) => !isBefore(lastEventId, firstEvent + 1, 0),
      )
      const { segment, found } =
        isLikely && likely
          ? { segment: likely.id, found: likely.id }
          : idFor(scene, 'webhooks', pick)
      const delivered = scene.me.rows.webhooks.get(found)?.lastEventId ?? '1-1'
      const eventId = place === 'delivered' ? delivered : place
      const text = JSON.stringify({ eventId })
      const isBad = !/^\d+-\d+$/.test(eventId)
      const answer = await call(scene, {
        operation,
        method: 'POST',
        path: hookPath(segment, '/redeliver'),
        rules,
        body: {
          text,
          values: {},
          bad: isBad ? ['eventId'] : [],
          missing: [],
          isJson: true,
          asked: text,
        },
      })
      if (!answer) return
      if (isBad) return expect(answer, operation, 400, invalid('eventId'))
      const webhook = scene.me.rows.webhooks.get(found)
      if (!webhook) return expect(answer, operation, 404, notFound)
      const [seq = 0, part = 0] = eventId.split('-').map(Number)
      if (seq <= webhook.firstEvent) {
        return expect(answer, operation, 400, { error: 'eventId is older than the webhook' })
      }
      if (isBefore(webhook.lastEventId, seq, part)) {
        return expect(answer, operation, 400, { error: 'eventId has not been delivered yet' })
      }
      webhook.lastEventId = `${seq}-${Math.max(0, part - 1)}`
      touch(webhook, answer)
      expect(answer, operation, 200, webhookOf(webhook))
    },
  ),
]

/** Marks the first event of new webhooks, their creation, as delivered, since no worker runs here. */
export const firstEventsArrive = event('(first events arrive)', async ({ world, me }) => {
  await world.db.query(
    `update webhooks set seq = first_event + 1, part = 1 where user_id = $1 and seq = first_event`,
    [me.id],
  )
  for (const webhook of me.rows.webhooks.values()) {
    if (isBefore(webhook.lastEventId, webhook.firstEvent + 1, 0)) {
      webhook.lastEventId = `${webhook.firstEvent + 1}-1`
    }
  }
})

function isBefore(place: string, seq: number, part: number) {
  const [ownSeq = 0, ownPart = 0] = place.split('-').map(Number)
  return ownSeq < seq || (ownSeq === seq && ownPart < part)
}
