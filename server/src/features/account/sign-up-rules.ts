// Sign-up over HTTP. If only this machine can reach the service, sign-up is open and the first account is the
// admin. Otherwise the first account needs the setup token.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignUpState } from '@daywright/contract'
import type { Config } from '../../config.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'
import { forbidden } from '../../platform/errors.ts'
import { isLoopback } from '../../platform/http/loopback.ts'

type Settings = Pick<Config, 'HOST' | 'PUBLIC_URL' | 'SIGN_UP'>
export type SignUpRules = ReturnType<typeof signUpRules>

const claimed = queryRows<{ claimed: boolean }>()(
  'auth.is-claimed',
  sql`select first_user_id is not null as claimed from auth.instance`,
)

export const isExposed = ({ HOST, PUBLIC_URL }: Settings) =>
  PUBLIC_URL !== undefined || !isLoopback(HOST)

export function signUpRules(db: Database, settings: Settings, secret: () => Promise<string>) {
  const exposed = isExposed(settings)
  let isClaimed = false

  async function hasFirstAccount() {
    isClaimed ||= (await claimed(db))[0]?.claimed ?? false
    return isClaimed
  }

  /** Derived, not stored: every process prints the same token, and a backup does not hold it. */
  const setupToken = async () =>
    createHmac('sha256', await secret())
      .update('setup token')
      .digest('base64url')
      .slice(0, 24)

  async function state(): Promise<SignUpState> {
    if (settings.SIGN_UP === 'closed') return { open: false, needsSetupToken: false }
    if (settings.SIGN_UP === 'open' || !exposed) return { open: true, needsSetupToken: false }
    const isOpen = !(await hasFirstAccount())
    return { open: isOpen, needsSetupToken: isOpen }
  }

  return {
    state,
    /** Whether the first account becomes admin without a token. */
    firstIsAdmin: !exposed,
    /** The token to print at start, while it can be used. */
    async pendingSetupToken() {
      if (!exposed || settings.SIGN_UP === 'closed' || (await hasFirstAccount())) return undefined
      return setupToken()
    },
    /** Refuses the sign-up, or tells whether the account becomes admin if it is the first. */
    async admit(given: string | undefined): Promise<{ claims: boolean }> {
      const { open, needsSetupToken } = await state()
      if (!open) throw forbidden('Sign-up is closed')
      if (!exposed) return { claims: true }
      if (given !== undefined && !equal(given, await setupToken())) {
        throw forbidden('The setup token is wrong')
      }
      if (given === undefined && needsSetupToken) {
        throw forbidden('The first account needs the setup token that the service logs at start')
      }
      return { claims: given !== undefined }
    },
  }
}

function equal(one: string, other: string) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
