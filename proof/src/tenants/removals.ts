// The statements of the service with one user condition removed, each in turn. `$1 is not null` is true and keeps
// the parameters of the statement.
import '../../../server/src/app.ts' // registers the statements of every slice
import '../../../server/src/features/account/account-command.ts'
import '../../../server/src/features/account/rotate-secret.ts'
import '../../../server/src/jobs/worker.ts'
import { statements } from '../../../server/src/platform/db/statement.ts'
import type { Removal } from './rehearsal.ts'

/** Statements whose $1 is not a user. */
const others = new Set([
  'admin.list-users',
  'admin.list-quarantine',
  'auth.session-owner',
  'auth.account-by-email',
])

/** Conditions whose removal nobody can see: the mark of a reading belongs to one calendar of one user. */
const invisible = new Set(['calendars.lock'])

const condition = /\b(?:\w+\.)?(?:user_id|id) = \$1(?!\d)/g

export const removals = (): (Removal & { name: string })[] =>
  [...statements].flatMap(([statement, text]) =>
    others.has(statement) || invisible.has(statement)
      ? []
      : [...text.matchAll(condition)].map(({ 0: found, index }, number) => ({
          name: `${statement} without ${found} (${number + 1})`,
          statement,
          text: `${text.slice(0, index)}$1::uuid is not null${text.slice(index + found.length)}`,
        })),
  )
