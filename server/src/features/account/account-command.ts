import { type IssuedApiKey, NewApiKey, type Profile, Scope, SignUp } from '@daywright/contract'
import { issueApiKey } from '../api-keys/api-keys.queries.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../platform/db/database.ts'
import { findAccount, replacePassword } from './account.queries.ts'
import { findProfile } from '../user/user.queries.ts'
import { createAuth } from '../../platform/auth/better-auth.ts'
import { cookieNames } from '../../platform/auth/cookies.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import { makeAccountAdmin, ensureProfile } from '../user/ensure-profile.ts'
import { weaknessOf } from './refuse-weak-password.ts'
import { instanceSecrets } from '../../platform/auth/secret.ts'

type NewAccount = SignUp & { admin: boolean }

/** Creates an account like sign-up over HTTP, even if sign-up is closed. */
export async function createAccount(db: Database, config: Config, account: NewAccount) {
  const { admin, ...given } = account
  const { data: body, error } = SignUp.safeParse(given)
  if (error)
    throw new Error(error.issues.map((issue) => `${issue.path.join()}: ${issue.message}`).join())
  refuseWeak(body.password, body)
  const secret = await instanceSecrets(db, config).current()
  const auth = createAuth({ db, secret, names: cookieNames(config.PUBLIC_URL) })
  const { user } = await auth.api.signUpEmail({ body })
  await ensureProfile(db, user.id, { timezone: body.timezone, claims: true })
  if (admin) await makeAccountAdmin(db, user.id)
}

async function accountOf(db: Database, email: string) {
  const id = await findAccount(db, email)
  if (id === undefined) throw new Error(`There is no account ${email}`)
  await ensureProfile(db, id, { claims: true })
  return id
}

/** Replaces a forgotten password without asking for the old one, and ends every session. API keys stay valid. */
export async function resetPassword(db: Database, email: string, password: string, now: Date) {
  const id = await accountOf(db, email)
  const { error } = SignUp.shape.password.safeParse(password)
  if (error) throw new Error(`password: ${error.issues.map(({ message }) => message).join()}`)
  const { displayName } = JSON.parse(await findProfile(db, id)) as Profile
  refuseWeak(password, { email, name: displayName })
  await replacePassword(db, id, await hashPassword(password), now)
}

function refuseWeak(password: string, person: { email: string; name: string }) {
  const weakness = weaknessOf(password, person)
  if (weakness) throw new Error(`password: ${weakness}`)
}

export async function makeAdminOf(db: Database, email: string) {
  await makeAccountAdmin(db, await accountOf(db, email))
}

/** Issues a key; `scopes` are separated by commas. */
export async function issueKeyFor(
  db: Database,
  email: string,
  given: { name: string; scopes?: string | undefined },
  now: Date,
) {
  const scopes = given.scopes?.split(',')
  const { data, error } = NewApiKey.safeParse({ name: given.name, scopes })
  if (error) {
    const known = Scope.options.join(', ')
    throw new Error(scopes ? `--scopes: any of ${known}, separated by commas` : error.message)
  }
  const issued = await issueApiKey(db, await accountOf(db, email), data, now)
  return (JSON.parse(issued) as IssuedApiKey).key
}
