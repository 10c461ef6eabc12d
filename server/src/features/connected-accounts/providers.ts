// The providers for which the operator has registered this instance.
import { googleProvider } from './google.ts'
import { microsoftProvider } from './microsoft.ts'
import type { OAuthClient } from './oauth.ts'
import type { Provider } from './provider.ts'

export type ProviderKind = 'google' | 'microsoft'
export type Credentials = { id: string; secret: string }
export type ConnectedProvider = Provider & { client: OAuthClient }
export type Providers = Partial<Record<ProviderKind, ConnectedProvider>>

/** The URLs of a provider; in tests they are on loopback. */
export type Endpoints = {
  authorizeUrl: string
  tokenUrl: string
  revokeUrl?: string
  api: string
}

export const googleEndpoints: Endpoints = {
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revokeUrl: 'https://oauth2.googleapis.com/revoke',
  api: 'https://www.googleapis.com/calendar/v3',
}

/** `tenant`: `common`, or the id of one's own organization. */
export const microsoftEndpoints = (tenant: string): Endpoints => ({
  authorizeUrl: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`,
  tokenUrl: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
  api: 'https://graph.microsoft.com/v1.0',
})

type Settings = {
  GOOGLE_CLIENT_ID?: string | undefined
  GOOGLE_CLIENT_SECRET?: string | undefined
  GOOGLE_URL?: string | undefined
  MICROSOFT_CLIENT_ID?: string | undefined
  MICROSOFT_CLIENT_SECRET?: string | undefined
  MICROSOFT_TENANT: string
  MICROSOFT_URL?: string | undefined
}

/** The providers that have a client id and a secret. */
export function configuredProviders(settings: Settings): Providers {
  const providers: Providers = {}
  const google = credentialsOf(settings.GOOGLE_CLIENT_ID, settings.GOOGLE_CLIENT_SECRET)
  const microsoft = credentialsOf(settings.MICROSOFT_CLIENT_ID, settings.MICROSOFT_CLIENT_SECRET)
  if (google) {
    providers.google = connectGoogle(google, endpointsAt(settings.GOOGLE_URL) ?? googleEndpoints)
  }
  if (microsoft) {
    const endpoints = endpointsAt(settings.MICROSOFT_URL)
    providers.microsoft = connectMicrosoft(
      microsoft,
      endpoints ?? microsoftEndpoints(settings.MICROSOFT_TENANT),
    )
  }
  return providers
}

const credentialsOf = (id: string | undefined, secret: string | undefined) =>
  id === undefined || secret === undefined ? undefined : { id, secret }

/** The endpoints of a stand-in for the provider. */
const endpointsAt = (url: string | undefined): Endpoints | undefined =>
  url === undefined
    ? undefined
    : {
        authorizeUrl: `${url}/authorize`,
        tokenUrl: `${url}/token`,
        revokeUrl: `${url}/revoke`,
        api: `${url}/api`,
      }

export const connectGoogle = (
  { id, secret }: Credentials,
  { api, ...urls }: Endpoints,
): ConnectedProvider => ({
  ...googleProvider(api),
  client: {
    id,
    secret,
    ...urls,
    scope: [
      'openid',
      'email',
      'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
      'https://www.googleapis.com/auth/calendar.events.readonly',
    ].join(' '),
    // Without these Google gives a refresh token only the first time.
    more: { access_type: 'offline', prompt: 'consent' },
  },
})

export const connectMicrosoft = (
  { id, secret }: Credentials,
  { api, authorizeUrl, tokenUrl }: Endpoints,
): ConnectedProvider => ({
  ...microsoftProvider(api),
  client: {
    id,
    secret,
    authorizeUrl,
    tokenUrl,
    scope: 'openid email offline_access https://graph.microsoft.com/Calendars.Read',
    more: { prompt: 'select_account' },
  },
})
