import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { call, expect, idFor, type Scene } from '../call.ts'
import type { Answer } from '../client.ts'
import { command } from '../command.ts'
import { between, Divergence } from '../compare.ts'
import { changesSince, compareFollowed, type Event, read } from '../follow.ts'
import { look } from '../look.ts'
import { type Item, type Label, touch } from '../model.ts'
import { pick, rarely } from '../values.ts'
import { forget, type Person } from '../world.ts'

/** Reads all changes to the end, and compares them with the model. */
export async function readOn(scene: Scene, isMore = true) {
  for (let more = isMore; more;) {
    more = read(scene.me, await look(scene, 'listChanges', changesSince(scene.me)))
  }
  compareFollowed(scene.me)
}

const notCursors = ['x', '1', '1-', '-1-1', '1-1-1', '', `${'9'.repeat(16)}-1`]
const limits = fc.constantFrom(1, 2, 7, 100, 1000, 1000, 1000, 0, 1001)

export const changes = [
  command(
    'listChanges',
    {},
    fc.record({ limit: limits, since: rarely(fc.constantFrom(...notCursors), 12) }),
    async (scene, { limit, since }) => {
      const operation = 'listChanges'
      const { me } = scene
      const isBad = since !== undefined
      const path = isBad
        ? `/api/changes?since=${since}&limit=${limit}`
        : changesSince(scene.me, limit)
      const badQuery = [
        ...(isBad ? ['since'] : []),
        ...(limit < 1 || limit > 1000 ? ['limit'] : []),
      ]
      const answer = await call(scene, { operation, method: 'GET', path, badQuery })
      if (!answer) return
      if (answer.status !== 200) return expect(answer, operation, 200, {})
      await readOn(scene, read(me, answer, limit))
    },
  ),

  command(
    'followEvents',
    {},
    fc.record({
      since: rarely(fc.constantFrom('1-1', '0-0', 'x', '1'), 3),
      header: rarely(fc.constantFrom('1-1', 'x'), 3),
    }),
    async (scene, { since, header }) => {
      const operation = 'followEvents'
      const isBad = (cursor?: string) => cursor !== undefined && !/^\d+-\d+$/.test(cursor)
      const answer = await call(scene, {
        operation,
        method: 'GET',
        path: `/api/events${since === undefined ? '' : `?since=${since}`}`,
        badQuery: isBad(since) ? ['since'] : [],
        ...(header !== undefined && { headers: { 'last-event-id': header } }),
      })
      if (!answer) return
      if (isBad(header)) {
        return expect(answer, operation, 400, { error: 'Last-Event-ID must be the id of an event' })
      }
      expect({ ...answer, body: answer.text.split('\n', 1)[0] }, operation, 200, 'retry: 1000')
    },
  ),
]

export const history = [
  command(
    'listHistory',
    {},
    fc.record({
      limit: fc.constantFrom(1, 3, 50, 100, 0, 101),
      pick: rarely(pick, 2),
      before: rarely(fc.nat(40), 2),
    }),
    async (scene, { limit, pick, before }) => {
      const operation = 'listHistory'
      await readOn(scene)
      const named = pick && idFor(scene, 'labels', pick)
      const cursor = before === undefined ? undefined : `${before}-1`
      const answer = await call(scene, {
        operation,
        method: 'GET',
        path:
          `/api/history?limit=${limit}` +
          (named ? `&recordId=${named.segment}` : '') +
          (cursor ? `&before=${cursor}` : ''),
        badQuery: limit < 1 || limit > 100 ? ['limit'] : [],
      })
      if (!answer) return
      const found = scene.me.followed.events
        .filter(({ recordId }) => !named || recordId === named.id.toLowerCase())
        .filter(({ id }) => before === undefined || Number(id.split('-')[0]) < before)
        .toReversed()
      const events = found.slice(0, limit)
      const next = found.length > limit ? events.at(-1)?.id : null
      expect(answer, operation, 200, { events, next })
    },
  ),

  command(
    'revertChange',
    {},
    fc.record({ place: fc.nat(1000), odd: rarely(fc.constantFrom('x', '0-0', '9999999-1'), 12) }),
    async (scene, { place, odd }) => {
      const operation = 'revertChange'
      const { me } = scene
      const known = me.followed.events.filter(({ type }) => ways[type]).slice(-15)
      const event = odd === undefined ? known[place % Math.max(1, known.length)] : undefined
      const path = `/api/history/${event?.id ?? odd ?? '0-1'}/revert`
      const answer = await call(scene, { operation, method: 'POST', path })
      if (!answer) return
      if (!event) return expect(answer, operation, 404, { error: 'Event not found' })
      const takeBack = ways[event.type]?.(scene, event)
      if (!takeBack) return expect(answer, operation, 409, { error: () => undefined })
      const { id: reverted, type, recordId } = event
      expect(answer, operation, 200, { reverted, type, recordId })
      takeBack(answer)
    },
  ),
]

type Fields = Record<string, unknown>
/** The expected revert of the change, if it is possible. */
type Way = (scene: Scene, event: Event) => ((answer: Answer) => void) | undefined

const same = (one: unknown, other: unknown) => isDeepStrictEqual(one, other)

function changedIn({ before, after }: Event) {
  const names = Object.keys(before ?? {})
  return names.filter((name) => name !== 'updatedAt' && !same(before?.[name], after?.[name]))
}

/** Reverts the changed fields, if none of them has changed again since. */
function back(row: object | undefined, event: Event, isAllowed = (_fields: Fields) => true) {
  const changed = changedIn(event)
  if (changed.length === 0) return () => {}
  const current = row as Fields | undefined
  const former = Object.fromEntries(changed.map((name) => [name, event.before?.[name]]))
  const isAsLeft = current && changed.every((name) => same(current[name], event.after?.[name]))
  if (!current || !isAsLeft || !isAllowed(former)) return undefined
  return (answer: Answer) => {
    Object.assign(current, former)
    if ('updatedAt' in current) touch(current as Label, answer)
  }
}

const isUntouched = (row: object, { after }: Event, fields: string[]) =>
  fields.every((name) => same((row as Fields)[name], after?.[name]))

const hasName = ({ me }: Scene, name: unknown, but: string) =>
  [...me.rows.labels.values()].some((label) => label.name === name && label.id !== but)

/** A preference that was deleted since cannot be referred to again. */
const hasPreference = ({ rows }: Person, { schedulePreferenceId: id }: Fields) =>
  typeof id !== 'string' || rows.preferences.has(id)

const ways: Record<string, Way> = {
  'label.updated': (scene, event) =>
    back(
      scene.me.rows.labels.get(event.recordId),
      event,
      ({ name }) => name === undefined || !hasName(scene, name, event.recordId),
    ),
  'label.created': ({ me }, event) => {
    const label = me.rows.labels.get(event.recordId)
    if (!label || !isUntouched(label, event, ['name', 'color'])) return undefined
    return () => {
      forget(me, 'labels', label.id)
      for (const { labelIds } of me.rows.tasks.values()) labelIds.delete(label.id)
    }
  },
  'label.deleted': (scene, { recordId: id, before }) => {
    const { labels } = scene.me.rows
    const { name, color, createdAt, updatedAt } = before as unknown as Record<string, string>
    const { taskIds } = before as unknown as { taskIds: string[] }
    if (labels.has(id) || hasName(scene, name, id)) return undefined
    return (answer) => {
      const label = { id, name, color, createdAt: at(createdAt), updatedAt: at(updatedAt) }
      labels.set(id, label as Label)
      scene.me.gone = scene.me.gone.filter((gone) => gone !== id)
      for (const taskId of taskIds) {
        const task = scene.me.rows.tasks.get(taskId)
        task?.labelIds.add(id)
        if (task) touch(task, answer)
      }
    }
  },
  'space.updated': ({ me }, event) =>
    back(me.rows.spaces.get(event.recordId), event, (former) => hasPreference(me, former)),
  'schedulePreference.updated': ({ me }, event) =>
    back(me.rows.preferences.get(event.recordId), event),
  'checklistItem.updated': ({ me }, event) => back(me.rows.items.get(event.recordId), event),
  'checklistItem.created': ({ me }, event) => {
    const item = me.rows.items.get(event.recordId)
    if (!item || !isUntouched(item, event, ['title', 'completed', 'sortOrder'])) return undefined
    return () => forget(me, 'items', item.id)
  },
  'checklistItem.deleted': ({ me }, { recordId: id, before }) => {
    const item = before as unknown as Item
    if (me.rows.items.has(id) || !me.rows.tasks.has(item.taskId)) return undefined
    return () => {
      me.rows.items.set(id, { ...item })
      me.gone = me.gone.filter((gone) => gone !== id)
    }
  },
  'settings.updated': ({ me }, event) => {
    const takeBack = back(me.settings, event, (former) => hasPreference(me, former))
    if (!takeBack || !changedIn(event).includes('planning')) return takeBack
    return (answer) => {
      takeBack(answer)
      // A revert sends all parts of `planning`, including those with default values.
      Object.assign(me.planning, event.before?.planning)
    }
  },
  'user.updated': ({ me }, event) => {
    const changed = changedIn(event)
    const isOwn = changed.some((name) => ['displayName', 'timezone'].includes(name))
    return changed.length === 0 || isOwn ? back(me, event) : undefined
  },
}

function at(moment: string | undefined) {
  const time = Date.parse(moment ?? '')
  if (Number.isNaN(time)) throw new Divergence(`${moment} is no moment`)
  return between(time, time)
}
