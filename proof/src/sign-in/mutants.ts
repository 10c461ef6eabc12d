// Faults that let someone in, tell who is there, or write down what is secret.
import type { Mutant } from '../kit/harness.ts'

const src = 'server/src'
const routes = `${src}/auth/auth.routes.ts`
const count = 'await takeAttempt(db, account, now())'

export const mutants: Mutant[] = [
  {
    name: 'attempts are counted after the password was looked at',
    control: 'guessing',
    edits: [
      {
        file: routes,
        find: `        await slowDown(request, request.body.email)
        return handle(request, reply)`,
        replace: `        try {
          return await handle(request, reply)
        } finally {
          await slowDown(request, request.body.email)
        }`,
      },
    ],
  },
  {
    name: 'no limit for an account',
    control: 'guessing',
    edits: [{ file: routes, find: count, replace: '' }],
  },
  {
    name: 'each process counts for itself',
    control: 'guessing',
    edits: [
      {
        file: routes,
        find: count,
        replace: `const mine = perAccount(account.toLowerCase(), now().getTime())
      if (!mine.allowed) throw tooManyRequests(mine.retryAfterSeconds)`,
      },
      {
        file: routes,
        find: 'const perAddress =',
        replace: `const perAccount = rateLimiter({ burst: 5, perSecond: 1 / 12 })
    const perAddress =`,
      },
    ],
  },
  {
    name: 'an account in capitals is another account',
    control: 'guessing',
    edits: [
      { file: `${src}/auth/take-attempt.ts`, find: 'account.toLowerCase()', replace: 'account' },
    ],
  },
  {
    name: 'the count is read, then written',
    control: 'guessing',
    edits: [
      {
        file: `${src}/auth/take-attempt.ts`,
        find: 'const [taken] =',
        replace: `const { rows } = await db.query<{ whole_at: Date }>({
    name: 'auth.seen-attempts',
    text: 'select whole_at from auth.attempts where account = $1',
    values: [name],
  })
  const before = (rows[0]?.whole_at.getTime() ?? 0) - now.getTime()
  if (before > (atOnce - 1) * oneMoreEverySeconds * 1000) throw tooManyRequests(12)
  const [taken] =`,
      },
      {
        file: `${src}/auth/take-attempt.ts`,
        find: `<= $2::timestamptz`,
        replace: `<= 'infinity' or $2::timestamptz < $2::timestamptz`,
      },
    ],
  },
  {
    name: 'no limit for an address',
    control: 'guessing',
    edits: [{ file: routes, find: 'if (!allowed) throw', replace: 'if (false) throw' }],
  },
  {
    name: 'anyone may say where they come from',
    control: 'guessing',
    edits: [
      {
        file: `${src}/app.ts`,
        find: 'trustProxy: config.TRUST_PROXY ?? false',
        replace: 'trustProxy: true',
      },
    ],
  },
  {
    name: 'an address without an account is refused at once',
    control: 'timing',
    edits: [
      {
        file: routes,
        find: `        await slowDown(request, request.body.email)
        return handle(request, reply)`,
        replace: `        await slowDown(request, request.body.email)
        const { rows } = await db.query({ name: 'x', text: 'select from auth.users where email = $1', values: [request.body.email] })
        if (rows.length === 0) throw new ApiError(401, { error: 'Invalid email or password' })
        return handle(request, reply)`,
      },
    ],
  },
  {
    name: 'hashes have become dearer than those that are kept',
    control: 'timing',
    edits: [{ file: `${src}/auth/password.ts`, find: 'passes: 2', replace: 'passes: 6' }],
  },
  {
    name: 'a caller is remembered for a minute',
    control: 'ending',
    edits: [
      {
        file: `${src}/auth/callers.ts`,
        find: 'const freshMs = 900',
        replace: 'const freshMs = 60_000',
      },
    ],
  },
  {
    name: 'who revokes a key does not forget its caller',
    control: 'ending',
    edits: [
      {
        file: `${src}/api-keys/api-keys.routes.ts`,
        find: 'callers.forget(request.userId)',
        replace: '',
      },
    ],
  },
  {
    name: 'the keys of a disabled account go on',
    control: 'ending',
    edits: [
      { file: `${src}/auth/callers.ts`, find: ' and person.disabled_at is null', replace: '' },
    ],
  },
  {
    name: 'the log shows the headers',
    control: 'logging',
    edits: [
      {
        file: `${src}/http/log-requests.ts`,
        find: 'status: reply.statusCode,',
        replace: 'status: reply.statusCode, headers: request.headers,',
      },
    ],
  },
  {
    name: 'the log shows the path with its query',
    control: 'logging',
    edits: [
      {
        file: `${src}/http/log-requests.ts`,
        find: `path: request.url.split('?', 1)[0]`,
        replace: 'path: request.url',
      },
    ],
  },
  {
    name: 'an error is logged with what was sent',
    control: 'logging',
    edits: [
      {
        file: `${src}/http/send-error.ts`,
        find: '{ err: error.cause ?? error }',
        replace: '{ err: error.cause ?? error, sent: { body: request.body } }',
      },
    ],
  },
]
