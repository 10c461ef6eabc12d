import type { Mutant } from '../kit/harness.ts'

const file = 'server/src/db/migrate.ts'

export const mutants: Mutant[] = [
  {
    name: 'a migration waits for its locks as long as it takes',
    edits: [{ file, find: '; set local lock_timeout = ${lockTimeoutMs}', replace: '' }],
  },
  {
    name: 'a migration waits for its locks for two seconds',
    edits: [{ file, find: 'lockTimeoutMs = 50', replace: 'lockTimeoutMs = 2000' }],
  },
  {
    name: 'a migration that finds a lock taken gives up',
    edits: [{ file, find: 'patienceMs = 10 * 60_000', replace: 'patienceMs = -1' }],
  },
  {
    name: 'all migrations are one transaction',
    edits: [
      { file, find: `await client.query('commit')\n      return`, replace: 'return' },
      {
        file,
        find: `    await client.end()`,
        replace: `    await client.query('commit')\n    await client.end()`,
      },
    ],
  },
  {
    name: 'two processes migrate at once',
    edits: [
      {
        file,
        find: `select pg_advisory_lock(hashtext('daywright migrate'))`,
        replace: 'select 1',
      },
    ],
  },
]
