// Faults in permissions and limits.
import { fault } from './mutant.ts'

const callers = fault('keys', 'server/src/auth/callers.ts')
const authenticate = fault('keys', 'server/src/http/authenticate.ts')
const write = fault('idempotency', 'server/src/http/write.ts')
const admin = fault('admin', 'server/src/admin/admin.routes.ts')

export const people = [
  fault('user', 'server/src/user/user.queries.ts')(
    'any zone is taken',
    'changes.timezone !== undefined && !isTimezone(changes.timezone)',
    "typeof changes.timezone === 'number'",
  ),
  fault('user', 'contract/src/user.ts')(
    'an offset is a zone',
    "typeof name !== 'string' || !zoneName.test(name)",
    "typeof name !== 'string'",
  ),
  callers('an expired key is taken', '!found || found.expiresAt <= now', '!found'),
  fault('keys', 'server/src/api-keys/api-keys.routes.ts')(
    'the kept answer shows the key',
    ', secretAnswer: true',
    '',
  ),
  fault('keys', 'server/src/api-keys/api-keys.routes.ts')(
    'a revoked key is remembered',
    'callers.forget(request.userId)',
    '',
  ),
  authenticate(
    'reading is enough to write',
    "scopes ?? [isRead ? 'read' : 'write']",
    "scopes ?? ['read']",
  ),
  authenticate(
    'a key may issue keys',
    'if (sessionOnly) return',
    'if (sessionOnly === null) return',
  ),
  authenticate(
    'other sites may write',
    'isRead ? undefined : refuseCrossSite(request)',
    'undefined',
  ),
  fault('admin', 'server/src/admin/require-admin.ts')(
    'anyone may change accounts',
    '!request.caller.isAdmin',
    "!request.caller.isAdmin && request.method === 'GET'",
  ),
  admin(
    'an admin may disable themselves',
    'id.toLowerCase() === request.userId',
    'id === request.userId',
  ),
  fault('admin', 'server/src/auth/callers.ts')(
    "a disabled account's key works",
    ' and person.disabled_at is null',
    '',
  ),
  fault('auth', 'server/src/auth/provide-profile.ts')(
    'everyone is an admin',
    'where first_user_id is null',
    'where single',
  ),
  fault('auth', 'server/src/auth/auth.routes.ts')(
    'a session that ended is remembered',
    'if (current) callers.forget(current.userId)',
    '',
  ),
  write(
    'the body does not count',
    '${method} ${url}\\n${JSON.stringify(body)}',
    '${method} ${url}',
  ),
  write('it is done again', 'if (replayed) {', 'if (replayed && isRepeatable === undefined) {'),
  write('what was created is answered 200', 'key, reply.statusCode,', 'key, 200,'),
]
