import type { Mutant } from '../kit/harness.ts'

export const mutants: Mutant[] = [
  {
    name: 'answers to Idempotency-Keys are kept in memory too, for ever',
    edits: [
      {
        file: 'server/src/http/write.ts',
        find: `      const body = typeof answer === 'string' ? answer : JSON.stringify(answer)\n`,
        replace: `      const body = typeof answer === 'string' ? answer : JSON.stringify(answer)\n      answers.set(key, { userId, body })\n`,
      },
      {
        file: 'server/src/http/write.ts',
        find: 'const tries = 3',
        replace: 'const tries = 3\nconst answers = new Map()',
      },
    ],
  },
  {
    name: 'the credential cache is unbounded',
    edits: [{ file: 'server/src/auth/callers.ts', find: '    forgetStale(now)\n', replace: '' }],
  },
  {
    name: 'metrics are counted by path instead of by route',
    edits: [
      {
        file: 'server/src/http/metrics.ts',
        find: `const routeOf = ({ routeOptions: { url } }: FastifyRequest, status: number) =>
  url === undefined || (url === '/*' && status === 404) ? 'unknown' : url`,
        replace: 'const routeOf = ({ url }: FastifyRequest, _status: number) => url',
      },
    ],
  },
  {
    name: 'a connection keeps a listener for each of its requests',
    edits: [
      {
        file: 'server/src/http/arrive.ts',
        find: '    inFlight += 1\n',
        replace: `    inFlight += 1\n    request.raw.socket.setMaxListeners(0).on('timeout', () => request.log.warn('slow'))\n`,
      },
    ],
  },
  {
    name: 'statements get a new name each time',
    edits: [
      {
        file: 'server/src/db/statement.ts',
        find: 'db.query<Row>({ name, text, values })',
        replace: 'db.query<Row>({ name: `${name} ${Math.random()}`, text, values })',
      },
    ],
  },
]
