import type { Mutant } from '../kit/harness.ts'

const arrive = 'server/src/http/arrive.ts'
const refusals = 'server/src/http/refusals.ts'

/** `control` names the check to run, so that a trial takes seconds. */
export const mutants: Mutant[] = [
  {
    name: 'refusals are not held',
    control: 'closed 50×',
    edits: [{ file: refusals, find: 'Math.min(5000, Math.max(300, refusing * 8))', replace: '0' }],
  },
  {
    name: 'refusals are held equally long, however many there are',
    control: 'closed 50×',
    edits: [{ file: refusals, find: 'Math.max(300, refusing * 8)', replace: '30' }],
  },
  {
    name: 'held refusals take slots',
    control: 'closed 50×',
    edits: [
      {
        file: 'server/src/http/admission.ts',
        find: 'if (!isAdmitted(party)) return undefined',
        replace: `if (!isAdmitted(party)) {
        taken += 1
        setTimeout(() => (taken -= 1), 1000)
        return undefined
      }`,
      },
    ],
  },
  {
    name: 'requests in flight are not limited',
    control: 'open 50×',
    settings: { MAX_IN_FLIGHT: '1000000', POOL_QUEUE: '1000000' },
  },
  {
    name: 'a refusal has no Retry-After',
    control: 'closed 50×',
    edits: [
      {
        file: refusals,
        find: `'retry-after': String(retryAfter),`,
        replace: '',
      },
    ],
  },
  {
    name: 'slots leak',
    control: 'closed 10×',
    edits: [
      {
        file: 'server/src/http/admission.ts',
        find: 'taken -= 1',
        replace: 'taken -= Math.random() < 0.5 ? 1 : 0',
      },
    ],
  },
  {
    name: 'runs of the planner hold a connection while they wait',
    control: 'planner',
    edits: [
      {
        file: 'server/src/http/write.ts',
        find: 'route.config?.inTurn ? waitInTurn(request, write) : write()',
        replace: '(waitInTurn && write())',
      },
    ],
  },
  {
    name: 'the planner plans on the thread that serves',
    control: 'planner',
    edits: [
      {
        file: 'server/src/planner/solve.ts',
        find: 'startPool().run(problem)',
        replace: `(await import('./plan-worker.ts')).default(problem)`,
      },
      {
        file: 'server/src/planner/solve.ts',
        find: 'const solve: Solve = (problem) =>',
        replace: 'const solve: Solve = async (problem) =>',
      },
    ],
  },
  {
    name: 'requests have no timeout',
    control: 'slow',
    edits: [
      {
        file: 'server/src/app.ts',
        find: 'requestTimeout: config.REQUEST_TIMEOUT_MS',
        replace: 'requestTimeout: 0',
      },
      {
        file: 'server/src/app.ts',
        find: 'headersTimeout: config.REQUEST_TIMEOUT_MS',
        replace: 'headersTimeout: 0',
      },
    ],
  },
  {
    name: 'a request takes a slot while its body arrives',
    control: 'slow',
    edits: [{ file: arrive, find: 'if (hasBody(request)) request.place?.leave()', replace: '' }],
  },
]
