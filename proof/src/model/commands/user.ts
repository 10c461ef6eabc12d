import fc from 'fast-check'
import { bodyFor, call, expect } from '../call.ts'
import { command } from '../command.ts'
import { body, type Field, type Sent, text } from '../values.ts'
import type { Person } from '../world.ts'

// At any time, the date in at least one of the first two differs from the date in UTC.
export const zones = [
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'UTC',
  'Australia/Sydney',
  'Europe/Kyiv',
  'America/New_York',
  'Asia/Kolkata',
]
const notZones = ['', 'Mars/Base', '+05:30', 'UTC+10', 'localtime', ' UTC', null, 7, ['UTC']]

/** The service has its own error for an invalid zone, so here every value counts as a valid field. */
const timezone: Field = {
  good: fc
    .oneof(
      { weight: 8, arbitrary: fc.constantFrom(...zones) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>(...notZones) },
    )
    .map((value): Sent => ({ value, stored: value })),
  bad: fc.constant<Sent>({ value: 'Nowhere', stored: 'Nowhere' }),
}

const nothingToUpdate = 'No valid fields to update'
const errorOf = ({ text }: { text: string }) => (text === '' ? 'Invalid JSON' : nothingToUpdate)

const profileOf = ({ id, email, displayName, timezone, isAdmin }: Person) => ({
  id,
  email,
  displayName,
  timezone,
  isAdmin,
})

export const user = [
  command('findProfile', {}, fc.constant({}), async (scene) => {
    const operation = 'findProfile'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/user' })
    if (answer) expect(answer, operation, 200, profileOf(scene.me))
  }),

  command(
    'updateProfile',
    {},
    body({ displayName: text(1, 200), timezone }),
    async (scene, drawn) => {
      const operation = 'updateProfile'
      const given = bodyFor(scene, drawn)
      const { values } = given
      const request = { operation, method: 'PATCH', path: '/api/user', body: given, errorOf }
      const answer = await call(scene, request)
      if (!answer) return
      if ('timezone' in values && !zones.includes(values.timezone)) {
        const error = 'timezone must be an IANA zone, e.g. Australia/Sydney'
        return expect(answer, operation, 400, { error })
      }
      if (Object.keys(values).length === 0) {
        return expect(answer, operation, 400, { error: nothingToUpdate })
      }
      Object.assign(scene.me, values)
      expect(answer, operation, 200, profileOf(scene.me))
    },
  ),
]
