// Faults that grant access, reveal accounts, or log secrets.
import type { Mutant } from '../kit/harness.ts'

const src = 'server/src'
const routes = `${src}/auth/auth.routes.ts`
const count = 'const returnAttempt = await takeAttempt(db, allowances, now())'

export const mutants: Mutant[] = [
  {
    name: 'attempts are counted after the password check',
    control: 'guessing',
    edits: [
      {
        file: routes,
        find: `      const returnAttempt = await takeAttempt(db, allowances, now())
      const answer = await work()
      await returnAttempt()
      return answer`,
        replace: `      try {
        return await work()
      } catch (error) {
        await takeAttempt(db, allowances, now())
        throw error
      }`,
      },
    ],
  },
  {
    name: 'no limit for an account',
    control: 'guessing',
    edits: [{ file: routes, find: count, replace: 'const returnAttempt = async () => {}' }],
  },
  {
    name: 'each process counts for itself',
    control: 'guessing',
    edits: [
      {
        file: routes,
        find: count,
        replace: `const returnAttempt = async () => {}
      for (const { name } of allowances) {
        const mine = perAccount(name, now().getTime())
        if (!mine.allowed) throw tooManyRequests(mine.retryAfterSeconds)
      }`,
      },
      {
        file: routes,
        find: 'const { take: perAddress } =',
        replace: `const { take: perAccount } = rateLimiter({ burst: 20, perSecond: 1 / 12 })
    const { take: perAddress } =`,
      },
    ],
  },
  {
    name: 'an account in capitals is another account',
    control: 'guessing',
    edits: [{ file: `${src}/auth/take-attempt.ts`, find: 'email.toLowerCase()', replace: 'email' }],
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
    values: [keyOf(name)],
  })
  const before = (rows[0]?.whole_at.getTime() ?? 0) - now.getTime()
  if (before > (atOnce - 1) * everySeconds * 1000) throw tooManyRequests(12)
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
    name: 'one network may use up what an account has',
    control: 'guessing',
    edits: [
      {
        file: `${src}/auth/take-attempt.ts`,
        find: 'const ofNetwork = { atOnce: 5,',
        replace: 'const ofNetwork = { atOnce: 50,',
      },
    ],
  },
  {
    name: 'a known browser has no allowance of its own',
    control: 'guessing',
    edits: [
      {
        file: `${src}/auth/take-attempt.ts`,
        find: 'if (browser !== undefined) return',
        replace: 'if (browser === null) return',
      },
    ],
  },
  {
    name: 'a right password counts as a wrong one',
    control: 'guessing',
    edits: [{ file: routes, find: 'await returnAttempt()', replace: 'void returnAttempt' }],
  },
  {
    name: 'the current password is counted only where the first cookie is the session',
    control: 'guessing',
    edits: [
      {
        file: routes,
        find: 'const answer = await guarded(allowanceOfPerson(current.userId), () =>',
        replace: `const isFirst = request.headers.cookie?.startsWith(names.session) ?? false
        const answer = await guarded(isFirst ? allowanceOfPerson(current.userId) : [], () =>`,
      },
    ],
  },
  {
    name: 'no limit for an address',
    control: 'guessing',
    edits: [{ file: routes, find: 'if (!allowed) throw', replace: 'if (false) throw' }],
  },
  {
    name: 'X-Forwarded-For of any client is trusted',
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
        find: '() => ask(request, reply, { body })',
        replace: `async () => {
          if (!(await findAccount(db, body.email))) throw new ApiError(401, { error: 'Invalid email or password' })
          return ask(request, reply, { body })
        }`,
      },
    ],
  },
  {
    name: 'hashes have become dearer than those that are kept',
    control: 'timing',
    edits: [{ file: `${src}/auth/password.ts`, find: 'passes: 2', replace: 'passes: 6' }],
  },
  {
    name: 'a credential is cached for a minute',
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
    name: 'revoking a key does not clear the credential cache',
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
        find: '{ err: error }',
        replace: '{ err: error, sent: { body: request.body } }',
      },
    ],
  },
]
