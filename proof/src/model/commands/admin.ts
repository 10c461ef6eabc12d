import fc from 'fast-check'
import { bodyFor, call, expect } from '../call.ts'
import { command } from '../command.ts'
import { between, brief, Divergence } from '../compare.ts'
import { body, flag, oneOf } from '../values.ts'
import type { Person, World } from '../world.ts'
import { usageOf } from './usage.ts'

const rules = { sessionOnly: true, admin: true }

const accountOf = (person: Person, { began }: World) => ({
  id: person.id,
  email: person.email,
  displayName: person.displayName,
  role: person.isAdmin ? 'admin' : 'user',
  disabled: person.isDisabled,
  jobsStopped: person.areJobsStopped,
  createdAt: between(began - 1, began + 60_000),
})

const idsOf = ({ me, other }: { me: Person; other: Person }): Record<string, string> => ({
  other: other.id,
  OTHER: other.id.toUpperCase(),
  me: me.id,
  ME: me.id.toUpperCase(),
  unknown: '11111111-1111-4111-8111-111111111111',
})

export const admin = [
  command(
    'listAccounts',
    rules,
    fc.record({ limit: fc.constantFrom(1, 2, 3, 7, 100, 101, 0), who: fc.nat(1) }),
    async (scene, { limit, who }) => {
      const operation = 'listAccounts'
      const { world } = scene
      const person = world.people[who] ?? scene.me
      // Users of other worlds may sign up meanwhile, which shifts the pages: then read again.
      for (let attempt = 1; ; attempt += 1) {
        const { rows } = await world.db.query<{ before: number }>(
          'select count(*)::int as before from users where id < $1',
          [person.id],
        )
        const page = Math.floor((rows[0]?.before ?? 0) / Math.max(1, limit)) + 1
        const answer = await call(scene, {
          operation,
          method: 'GET',
          path: `/api/admin/users?page=${page}&limit=${limit}`,
          rules,
          badQuery: limit < 1 || limit > 100 ? ['limit'] : [],
        })
        if (!answer) return
        const shown = answer.body?.data?.find?.(({ id }: { id: string }) => id === person.id)
        if (!shown && attempt < 4) continue
        const { total } = answer.body?.pagination ?? {}
        const pages = Math.ceil(total / limit)
        expect(answer, operation, 200, {
          data: () => undefined,
          pagination: { page, limit, total: () => undefined, pages },
        })
        const ids = answer.body.data.map(({ id }: { id: string }) => id) as string[]
        const isSorted = ids.every((id, place) => place === 0 || (ids[place - 1] ?? '') < id)
        if (!isSorted || ids.length > limit || (page < pages && ids.length < limit)) {
          throw new Divergence(`${operation}: ${brief(ids)} is no page of ${limit} in order`)
        }
        const found = ids.indexOf(person.id)
        const row = { ...answer, body: answer.body.data[found] }
        return expect(row, operation, 200, accountOf(person, world))
      }
    },
  ),

  // No worker runs here, so no calendar is read and none is in quarantine.
  command('listQuarantine', rules, fc.constant({}), async (scene) => {
    const operation = 'listQuarantine'
    const path = '/api/admin/quarantine'
    const answer = await call(scene, { operation, method: 'GET', path, rules })
    if (answer) expect(answer, operation, 200, [])
  }),

  command(
    'findUsageOfAccount',
    rules,
    fc.record({ whom: fc.constantFrom('other', 'OTHER', 'me', 'unknown', 'malformed') }),
    async (scene, { whom }) => {
      const operation = 'findUsageOfAccount'
      const { me, other } = scene
      const path = `/api/admin/users/${idsOf(scene)[whom] ?? 'nonsense'}/usage`
      const answer = await call(scene, { operation, method: 'GET', path, rules })
      if (!answer) return
      if (whom === 'unknown' || whom === 'malformed') {
        return expect(answer, operation, 404, { error: 'User not found' })
      }
      expect(answer, operation, 200, usageOf(whom === 'me' ? me : other))
    },
  ),

  command(
    'updateAccount',
    rules,
    fc.record({
      whom: fc.constantFrom('other', 'other', 'other', 'me', 'ME', 'unknown', 'malformed'),
      changes: body({ role: oneOf('user', 'admin'), disabled: flag, jobsStopped: flag }),
    }),
    async (scene, { whom, changes }) => {
      const operation = 'updateAccount'
      const { other, world } = scene
      const given = bodyFor(scene, changes)
      if (given.bad.length === 0 && Object.keys(given.values).length === 0) given.bad.push('body')
      const path = `/api/admin/users/${idsOf(scene)[whom] ?? 'nonsense'}`
      const request = { operation, method: 'PATCH', path, rules, body: given }
      const answer = await call(scene, request)
      if (!answer) return
      if (whom === 'me' || whom === 'ME') {
        const error = 'You cannot change your own account'
        return expect(answer, operation, 400, { error })
      }
      if (whom !== 'other') return expect(answer, operation, 404, { error: 'User not found' })
      const { role, disabled, jobsStopped } = given.values
      if (role !== undefined) other.isAdmin = role === 'admin'
      if (disabled !== undefined) other.isDisabled = disabled
      if (jobsStopped !== undefined) other.areJobsStopped = jobsStopped
      if (other.isDisabled && disabled) other.sessions = []
      expect(answer, operation, 200, accountOf(other, world))
    },
  ),
]
