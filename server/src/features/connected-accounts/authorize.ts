// Connects an account: the user agrees at the provider, which redirects to the settings with a code.
import type { ConnectedAccountKind } from '@daywright/contract'
import { z } from 'zod'
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Db } from '../../platform/db/database.ts'
import { invalid, unprocessable } from '../../platform/errors.ts'
import type { Request } from '../../platform/outbound/http-get.ts'
import { sealTokens } from './access.ts'
import { saveAccount, takeState } from './connected-accounts.queries.ts'
import { authorizationUrl, exchangeCode, newVerifier } from './oauth.ts'
import { describeProviderFailure } from './provider.ts'
import type { Providers } from './providers.ts'

export type Connecting = { request: Request; seal: Cipher; providers: Providers; now: () => Date }

const mostMinutes = 15
export const redirectPath = '/settings/calendars'

/** The OAuth state. It goes encrypted to the provider and back, so that nothing is stored until the user has agreed. */
const State = z.object({
  purpose: z.literal('connect-account'),
  userId: z.string(),
  kind: z.enum(['google', 'microsoft']),
  verifier: z.string(),
  redirectUri: z.string(),
  expiresAt: z.number(),
})

export async function authorizeAccount(
  { seal, providers, now }: Connecting,
  userId: string,
  kind: ConnectedAccountKind,
  origin: string,
) {
  const provider = providers[kind]
  if (!provider) throw invalid({ kind: ['This server cannot connect accounts of this kind'] })
  const redirectUri = origin + redirectPath
  const verifier = newVerifier()
  const expiresAt = now().getTime() + mostMinutes * 60_000
  const known = { purpose: 'connect-account', userId, kind, verifier, redirectUri, expiresAt }
  const state = await seal.close(JSON.stringify(known))
  return { url: authorizationUrl(provider.client, { redirectUri, state, verifier }) }
}

export async function connectAccount(
  { request, seal, providers, now }: Connecting,
  db: Db,
  userId: string,
  given: { code: string; state: string },
) {
  const state = await openState(seal, given.state)
  const isValid = state?.userId === userId && state.expiresAt > now().getTime()
  const provider = isValid ? providers[state.kind] : undefined
  if (!state || !provider || !(await takeState(db, userId, new Date(state.expiresAt)))) {
    throw invalid({ state: ['It is too old, was used already, or is of another user: try again'] })
  }
  const { kind, verifier, redirectUri } = state
  const { code } = given
  try {
    const found = await exchangeCode(
      request,
      provider.client,
      { code, verifier, redirectUri },
      now(),
    )
    const sealedTokens = await sealTokens(seal, found.tokens)
    const account = { kind, email: found.email ?? '', sealedTokens }
    return await saveAccount(db, userId, account, now())
  } catch (error) {
    const failure = describeProviderFailure(error)
    throw failure ? unprocessable(failure.error) : error
  }
}

async function openState(seal: Cipher, text: string) {
  const opened = await seal.open(text)
  if (opened === undefined) return undefined
  // Other texts that we have encrypted are not JSON, or have another purpose.
  try {
    return State.safeParse(JSON.parse(opened)).data
  } catch {
    return undefined
  }
}
