// No provider is registered here, so there are never any accounts.
import fc from 'fast-check'
import { bodyFor, call, expect, idFor, invalid } from '../call.ts'
import { command } from '../command.ts'
import { body, oneOf, pick, text } from '../values.ts'

const rules = { sessionOnly: true }
const notFound = { error: 'Connected account not found' }
const base = '/api/connected-accounts'

export const connectedAccounts = [
  command('listConnectedAccounts', rules, fc.constant({}), async (scene) => {
    const operation = 'listConnectedAccounts'
    const answer = await call(scene, { operation, method: 'GET', path: base, rules })
    if (answer) expect(answer, operation, 200, { kinds: [], accounts: [] })
  }),

  command(
    'authorizeConnectedAccount',
    rules,
    body({ kind: oneOf('google', 'microsoft') }, ['kind']),
    async (scene, drawn) => {
      const operation = 'authorizeConnectedAccount'
      const given = bodyFor(scene, drawn)
      const path = `${base}/authorize`
      const answer = await call(scene, { operation, method: 'POST', path, rules, body: given })
      if (answer) expect(answer, operation, 400, invalid('kind'))
    },
  ),

  command(
    'createConnectedAccount',
    rules,
    body({ code: text(1, 4096), state: text(1, 4096) }, ['code', 'state']),
    async (scene, drawn) => {
      const operation = 'createConnectedAccount'
      const given = bodyFor(scene, drawn)
      const answer = await call(scene, {
        operation,
        method: 'POST',
        path: base,
        rules,
        body: given,
      })
      if (answer) expect(answer, operation, 400, invalid('state'))
    },
  ),

  command('listAccountCalendars', rules, pick, async (scene, pick) => {
    const operation = 'listAccountCalendars'
    const { segment } = idFor(scene, 'calendars', pick)
    const path = `${base}/${segment}/calendars`
    const answer = await call(scene, { operation, method: 'GET', path, rules })
    if (answer) expect(answer, operation, 404, notFound)
  }),

  command('deleteConnectedAccount', rules, pick, async (scene, pick) => {
    const operation = 'deleteConnectedAccount'
    const { segment } = idFor(scene, 'calendars', pick)
    const path = `${base}/${segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path, rules })
    if (answer) expect(answer, operation, 404, notFound)
  }),
]
