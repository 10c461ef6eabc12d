import type { Mutant } from '../kit/harness.ts'
import type { Mode } from './proxy.ts'

const database = 'server/src/db/database.ts'
const silence = 'server/src/db/silence.ts'
const edit = (file: string, find: string, replace: string, nth?: number) => ({
  edits: [{ file, find, replace, ...(nth !== undefined && { nth }) }],
})

/** Each with the fault of the line under which it must show. */
export const mutants: (Mutant & { mode: Mode })[] = [
  {
    name: 'nobody hears a connection break between two statements',
    mode: 'reset',
    ...edit(database, `pool.on('connect', (client) => client.on('error', heard))`, ''),
  },
  {
    name: 'a broken connection goes back to the pool',
    mode: 'silent',
    edits: [
      { file: database, find: 'client.release(isBroken(error))', replace: 'client.release()' },
      { file: database, find: 'client.release(broken)', replace: 'client.release()' },
    ],
  },
  {
    name: 'no Retry-After',
    mode: 'refuse',
    ...edit('server/src/errors.ts', `{ error }, { 'retry-after': '1' })`, '{ error })'),
  },
  {
    name: 'nobody watches for silence',
    mode: 'silent',
    ...edit(silence, 'if (!isWatching) void watch()', ''),
  },
  {
    name: 'once silent, always silent',
    mode: 'silent',
    ...edit(silence, '      isSilent = false\n', ''),
  },
  {
    name: 'a lost connection is waited for',
    mode: 'half-open',
    ...edit(silence, 'if (wait.idleLooks > 1 && waits.has(wait)) wait.giveUp()', ''),
  },
  {
    name: 'a transaction given up on keeps its locks',
    mode: 'half-open',
    ...edit(silence, 'if (pid !== undefined) abandoned.add(pid)', ''),
  },
  {
    name: 'no rollback',
    mode: 'reset',
    ...edit(database, `if (!broken) await db.query('rollback').catch(() => {})`, ''),
  },
  {
    name: 'a database out of reach is an error of ours',
    mode: 'refuse',
    ...edit(database, 'throw Object.assign(unavailable(), { cause: error })', 'throw error'),
  },
  {
    name: 'a lost answer is done again',
    mode: 'deaf',
    ...edit(
      'server/src/http/write.ts',
      `isRepeatable ? request.headers['idempotency-key'] : undefined`,
      'undefined',
    ),
  },
]
