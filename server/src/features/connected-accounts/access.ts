// The access token of a connected account: the stored one, or a new one obtained with the stored refresh token.
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Request } from '../../platform/outbound/http-get.ts'
import { type StoredAccount, replaceTokens } from './connected-accounts.queries.ts'
import { isUsable, refreshTokens, revokeGrant, type Tokens } from './oauth.ts'
import { ProviderError } from './provider.ts'
import type { Providers } from './providers.ts'

export type Accessing = {
  db: Db
  request: Request
  seal: Cipher
  providers: Providers
  now: () => Date
}

export async function accessAccount(
  { db, request, seal, providers, now }: Accessing,
  userId: string,
  { id, kind, sealedTokens }: StoredAccount,
) {
  const provider = providers[kind]
  if (!provider) throw new ProviderError('not-configured')
  const tokens = await openTokens(seal, sealedTokens)
  if (isUsable(tokens, now())) return { provider, accessToken: tokens.accessToken }
  const renewed = await refreshTokens(request, provider.client, tokens, now())
  await replaceTokens(db, userId, id, { sealedTokens, renewed: await sealTokens(seal, renewed) })
  return { provider, accessToken: renewed.accessToken }
}

/**
 * Ends the access at the provider. Returns false if the provider does not offer that, cannot answer, or the tokens are lost:
 * the account is removed here all the same.
 */
export async function revokeAccess(
  { request, seal, providers }: Pick<Accessing, 'request' | 'seal' | 'providers'>,
  { kind, sealedTokens }: StoredAccount,
) {
  const provider = providers[kind]
  if (!provider) return false
  const tokens = await openTokens(seal, sealedTokens).catch(() => undefined)
  return tokens !== undefined && revokeGrant(request, provider.client, tokens)
}

export const sealTokens = (seal: Cipher, tokens: Tokens) => seal.close(JSON.stringify(tokens))

/** Decrypts tokens. Tokens encrypted with another secret are lost: the account has to be connected again. */
async function openTokens(seal: Cipher, sealed: string) {
  const text = await seal.open(sealed)
  if (text === undefined) throw new ProviderError('access-withdrawn')
  return JSON.parse(text) as Tokens
}
