import type { Mutant } from '../kit/harness.ts'
import type { Setup } from './world.ts'

type Aimed = Mutant & Pick<Setup, 'aim' | 'databaseOptions' | 'planner' | 'countKeys'>

const write = 'server/src/http/write.ts'
const onThePool = (file: string, call: string) => [
  { file, find: 'db.transaction(async', replace: 'Promise.resolve(db).then(async', nth: 0 },
  {
    file: 'server/src/planner/planner.routes.ts',
    find: 'async (app, { now })',
    replace: 'async (app, { now, db })',
  },
  {
    file: 'server/src/planner/planner.routes.ts',
    find: `${call}(request.db`,
    replace: `${call}(db`,
  },
]

export const mutants: Aimed[] = [
  {
    name: 'no idempotency',
    aim: 'frozen server',
    countKeys: false,
    edits: [
      {
        file: write,
        find: `isRepeatable ? request.headers['idempotency-key'] : undefined`,
        replace: 'undefined',
      },
    ],
  },
  {
    name: 'the key is kept apart from its write',
    aim: 'PostgreSQL',
    edits: [
      {
        file: write,
        find: 'const { userId, db: transaction } = request',
        replace: 'const { userId } = request; const transaction = db',
      },
    ],
  },
  {
    name: 'answered before the commit',
    aim: 'frozen PostgreSQL',
    edits: [
      {
        file: 'server/src/db/database.ts',
        find: `await db.query('commit')`,
        replace: `db.query('commit').catch(() => {})`,
      },
    ],
  },
  {
    name: 'a planner run without a transaction',
    aim: 'held PostgreSQL',
    planner: { share: 0.6, acts: ['run'] },
    edits: onThePool('server/src/planner/run-planner.ts', 'runPlanner'),
  },
  {
    name: 'a preview applied without a transaction',
    aim: 'held PostgreSQL',
    planner: { share: 0.9, acts: ['apply'] },
    edits: onThePool('server/src/planner/apply-run.ts', 'applyRun'),
  },
  {
    name: 'synchronous_commit=off',
    aim: 'PostgreSQL',
    databaseOptions: '-c synchronous_commit=off',
    settings: { UNSAFE_DATABASE: 'allow' },
  },
]
