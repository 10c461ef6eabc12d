import fc from 'fast-check'
import { bodyFor, call, expect, idFor, success } from '../call.ts'
import { command } from '../command.ts'
import { freshId } from '../fresh-id.ts'
import { type Feed, now } from '../model.ts'
import { listedFeeds } from '../show.ts'
import { body, oneOf, pick, text } from '../values.ts'
import { forget } from '../world.ts'

const rules = { sessionOnly: true }
const form = /^\/feeds\/dwf_[\w-]{22}_[\w-]{43}[0-9a-f]{8}\.ics$/
const fields = { name: text(1, 100), detail: oneOf('full', 'titles', 'busy') }

export const feeds = [
  command('listFeeds', rules, fc.constant({}), async (scene) => {
    const operation = 'listFeeds'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/feeds', rules })
    if (answer) expect(answer, operation, 200, listedFeeds(scene.me))
  }),

  command('createFeed', rules, body(fields, ['name']), async (scene, drawn) => {
    const operation = 'createFeed'
    const { me } = scene
    const given = bodyFor(scene, drawn)
    const request = { operation, method: 'POST', path: '/api/feeds', rules, body: given }
    const answer = await call(scene, request)
    if (!answer) return
    if (me.rows.feeds.size >= 10) {
      const error = 'At most 10 feeds; delete one first'
      return expect(answer, operation, 409, { error })
    }
    const { name, detail = 'full' } = given.values
    const feed: Feed = { id: freshId(scene, answer), name, detail, createdAt: now(answer) }
    expect(answer, operation, 201, {
      ...feed,
      lastReadAt: null,
      path: (value: unknown) => (form.test(String(value)) ? undefined : 'should be an address'),
    })
    me.rows.feeds.set(feed.id, feed)
  }),

  command('deleteFeed', rules, pick, async (scene, pick) => {
    const operation = 'deleteFeed'
    const { segment, found } = idFor(scene, 'feeds', pick)
    const path = `/api/feeds/${segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path, rules })
    if (!answer) return
    if (!scene.me.rows.feeds.has(found)) {
      return expect(answer, operation, 404, { error: 'Feed not found' })
    }
    expect(answer, operation, 200, success)
    forget(scene.me, 'feeds', found)
  }),
]
