import type { Mutant } from '../kit/harness.ts'
import type { Mode } from './proxy.ts'

const database = 'server/src/db/database.ts'
const silence = 'server/src/db/silence.ts'
const edit = (file: string, find: string, replace: string, nth?: number) => ({
  edits: [{ file, find, replace, ...(nth !== undefined && { nth }) }],
})

/** Each with the connection fault under which it shows, and the expected finding. */
export const mutants: (Mutant & { mode: Mode; shows: RegExp })[] = [
  {
    name: 'an error event between two statements is not handled',
    mode: 'reset',
    shows: /the service ended/,
    ...edit(database, `pool.on('connect', (client) => client.on('error', ignoreError))`, ''),
  },
  {
    name: 'a broken connection goes back to the pool',
    mode: 'half-open',
    shows: /refused later|never answered|nothing is served/,
    edits: [
      { file: database, find: 'release(isBroken(error))', replace: 'release()' },
      { file: database, find: 'client.release(broken)', replace: 'client.release()' },
    ],
  },
  {
    name: 'no Retry-After',
    mode: 'refuse',
    shows: /without Retry-After/,
    ...edit(
      'server/src/errors.ts',
      `{ error }, { 'retry-after': String(retryAfterSeconds) })`,
      '{ error })',
    ),
  },
  {
    name: 'there is no watchdog',
    mode: 'silent',
    shows: /answered later/,
    ...edit(silence, 'if (!isWatching) void watch()', ''),
  },
  {
    name: 'an outage never ends',
    mode: 'silent',
    shows: /nothing is served/,
    ...edit(silence, '      isSilent = false\n', ''),
  },
  {
    name: 'a lost connection is not given up',
    mode: 'half-open',
    shows: /answered later/,
    ...edit(silence, 'wait.idleLooks > 1 && waits.has(wait)', 'false'),
  },
  {
    name: 'an abandoned transaction keeps its locks',
    mode: 'half-open',
    shows: /left in a transaction|never answered/,
    ...edit(silence, 'if (pid !== undefined) abandoned.add(pid)', ''),
  },
  {
    name: 'no rollback',
    mode: 'reset',
    shows: /left in a transaction/,
    ...edit(database, `if (!broken) await db.query('rollback').catch(() => {})`, ''),
  },
  {
    name: 'an unreachable database is answered 500',
    mode: 'refuse',
    shows: /answered 500/,
    ...edit(database, 'throw Object.assign(unavailable(), { cause: error })', 'throw error'),
  },
  {
    name: 'a lost answer is done again',
    mode: 'deaf',
    shows: /doubled/,
    ...edit(
      'server/src/http/write.ts',
      `isRepeatable ? request.headers['idempotency-key'] : undefined`,
      'undefined',
    ),
  },
]
