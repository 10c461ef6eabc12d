import fc from 'fast-check'
import { bodyFor, call, expect, idFor, invalid, success } from '../call.ts'
import { command } from '../command.ts'
import { wire } from '../compare.ts'
import { freshId } from '../fresh-id.ts'
import { type Key, now, touch } from '../model.ts'
import { listedKeys } from '../show.ts'
import { body, type Field, moment, nullable, pick, type Sent, text } from '../values.ts'
import { forget } from '../world.ts'

const rules = { sessionOnly: true }
const form = /^dwk_[\w-]{22}_[\w-]{43}[0-9a-f]{8}$/
const scopes: Field = {
  good: fc
    .constantFrom(
      ['read'],
      ['write'],
      ['planner'],
      ['read', 'write'],
      ['read', 'webhooks'],
      ['read', 'read'],
    )
    .map((value): Sent => ({ value, stored: [...new Set(value)] })),
  bad: fc.constantFrom<Sent>(
    { value: [], bad: '' },
    { value: 'read', bad: '' },
    { value: null, bad: '' },
    { value: ['admin'], bad: '.0' },
    { value: ['read', 7], bad: '.1' },
    { value: ['read', 'read', 'read', 'read', 'read'], bad: '' },
  ),
}
const fields = { name: text(1, 100), scopes, expiresAt: nullable(moment) }

/** `lastUsedAt` is written at most once a minute: null, or recent. */
const used = (since: number) => (value: unknown) =>
  value === null ||
  (typeof value === 'string' &&
    Date.parse(value) >= since - 1 &&
    Date.parse(value) <= Date.now() + 1)
    ? undefined
    : 'should be null or a moment of late'

export const keys = [
  command('listApiKeys', rules, fc.constant({}), async (scene) => {
    const operation = 'listApiKeys'
    const request = { operation, method: 'GET', path: '/api/api-keys', rules }
    const answer = await call(scene, request)
    if (answer) expect(answer, operation, 200, listedKeys(scene.me, used(scene.world.began)))
  }),

  command('issueApiKey', rules, body(fields, ['name']), async (scene, drawn) => {
    const operation = 'issueApiKey'
    const { me } = scene
    const given = bodyFor(scene, drawn)
    const request = { operation, method: 'POST', path: '/api/api-keys', rules, body: given }
    const answer = await call(scene, request)
    if (!answer) return
    const { name, scopes = ['read', 'write', 'planner'], expiresAt = null } = given.values
    if (expiresAt !== null && expiresAt <= answer.began) {
      return expect(answer, operation, 400, invalid('expiresAt'))
    }
    const live = [...me.rows.keys.values()].filter(
      ({ expiresAt }) => expiresAt === null || expiresAt > answer.began,
    )
    if (live.length >= 25) {
      const error = 'At most 25 API keys; revoke one first'
      return expect(answer, operation, 409, { error })
    }
    const text = String(answer.body?.key)
    const key: Key = {
      id: freshId(scene, answer),
      name,
      text,
      prefix: text.slice(0, 33),
      scopes,
      expiresAt,
      createdAt: now(answer),
    }
    const { text: _secret, ...shown } = key
    expect(answer, operation, 201, {
      ...shown,
      expiresAt: wire(expiresAt),
      lastUsedAt: null,
      key: (value: unknown) => (form.test(String(value)) ? undefined : 'should be a key'),
    })
    me.rows.keys.set(key.id, key)
  }),

  command('revokeApiKey', rules, pick, async (scene, pick) => {
    const operation = 'revokeApiKey'
    const { me } = scene
    const { segment, found } = idFor(scene, 'keys', pick)
    const path = `/api/api-keys/${segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path, rules })
    if (!answer) return
    const key = me.rows.keys.get(found)
    if (!key) return expect(answer, operation, 404, { error: 'API key not found' })
    expect(answer, operation, 200, success)
    for (const webhook of me.rows.webhooks.values()) {
      const { id } = webhook.createdBy as { id?: string }
      if (id !== key.id || !webhook.enabled) continue
      const disabledReason = 'The API key that created the webhook was revoked or has expired'
      Object.assign(webhook, { enabled: false, disabledReason })
      touch(webhook, answer)
    }
    me.revoked.push(key.text)
    forget(me, 'keys', found)
  }),
]
