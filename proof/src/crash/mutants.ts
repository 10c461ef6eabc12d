import { readFault } from '../kit/faults.ts'
import type { Mutant } from '../kit/harness.ts'
import type { Setup } from './world.ts'

type Aimed = Mutant & Pick<Setup, 'aim' | 'databaseOptions' | 'planner' | 'countKeys'>

export const mutants: Aimed[] = [
  { ...readFault('crash', 'no-idempotency'), aim: 'frozen server', countKeys: false },
  { ...readFault('crash', 'the-key-is-kept-apart-from-its-write'), aim: 'PostgreSQL' },
  { ...readFault('crash', 'answered-before-the-commit'), aim: 'frozen PostgreSQL' },
  {
    ...readFault('crash', 'a-planner-run-without-a-transaction'),
    aim: 'held PostgreSQL',
    planner: { share: 0.6, acts: ['run'] },
  },
  {
    ...readFault('crash', 'a-preview-applied-without-a-transaction'),
    aim: 'held PostgreSQL',
    planner: { share: 0.9, acts: ['apply'] },
  },
  {
    name: 'synchronous_commit=off',
    aim: 'PostgreSQL',
    databaseOptions: '-c synchronous_commit=off',
    settings: { UNSAFE_DATABASE: 'allow' },
  },
]
