import type { Mutant } from '../kit/harness.ts'

const writing = 'server/src/backup/write-backup.ts'
const restoring = 'server/src/backup/restore-backup.ts'

export const mutants: Mutant[] = [
  {
    name: 'a table is forgotten',
    edits: [
      {
        file: 'server/src/backup/tables.ts',
        find: `table_name <> 'migrations'`,
        replace: `table_name not in ('migrations', 'checklist_items')`,
      },
    ],
  },
  {
    name: 'the secret is in the backup',
    edits: [
      {
        file: 'server/src/backup/tables.ts',
        find: `{ 'auth.instance': ['secret'] }`,
        replace: '{}',
      },
    ],
  },
  {
    name: 'sessions are in the backup',
    edits: [
      {
        file: 'server/src/backup/tables.ts',
        find: ` and (table_schema, table_name) <> ('auth', 'sessions')`,
        replace: '',
      },
    ],
  },
  {
    name: 'each table is read as of its own moment',
    edits: [
      {
        file: writing,
        find: 'begin isolation level repeatable read read only',
        replace: 'begin read only',
      },
    ],
  },
  {
    name: 'only the first rows of a table are read',
    edits: [{ file: writing, find: 'if (rows.length < rowsAtOnce) break', replace: 'break' }],
  },
  {
    name: 'the last rows of a table are dropped on the way in',
    edits: [
      {
        file: restoring,
        find: 'if (said.end === count) return count',
        replace: 'if (said.end) return count',
      },
      {
        file: restoring,
        find: '    await flush()\n    const said',
        replace: `    if (table === 'public.labels') batch = []\n    await flush()\n    const said`,
      },
    ],
  },
  {
    name: 'the foreign keys are not made again',
    edits: [
      {
        file: restoring,
        find: 'for (const link of links) await client.query(link)',
        replace: 'void links',
      },
    ],
  },
]
