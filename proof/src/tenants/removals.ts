// The statements of the service with one condition less: every place that says whose rows are meant,
// one at a time. `$1 is not null` is true and keeps the statement's parameters as they were.
import '../../../server/src/app.ts' // brings every slice, and so every statement, into the register
import '../../../server/src/auth/account-command.ts'
import '../../../server/src/worker/worker.ts'
import { statements } from '../../../server/src/db/statement.ts'
import type { Removal } from './rehearsal.ts'

/** Their $1 is not a user. */
const others = new Set(['admin.list-users', 'auth.session-owner', 'auth.account-by-email'])

const condition = /\b(?:\w+\.)?(?:user_id|id) = \$1(?!\d)/g

export const removals = (): (Removal & { name: string })[] =>
  [...statements].flatMap(([statement, text]) =>
    others.has(statement)
      ? []
      : [...text.matchAll(condition)].map(({ 0: found, index }, number) => ({
          name: `${statement} without ${found} (${number + 1})`,
          statement,
          text: `${text.slice(0, index)}$1::uuid is not null${text.slice(index + found.length)}`,
        })),
  )
