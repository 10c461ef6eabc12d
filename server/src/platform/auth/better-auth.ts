import { newId } from '../db/new-id.ts'
import { betterAuth } from 'better-auth'
import { admin } from 'better-auth/plugins/admin'
import type { FastifyBaseLogger } from 'fastify'
import { PostgresDialect, type PostgresPool } from 'kysely'
import type { Database } from '../db/database.ts'
import { hashPassword, verifyPassword } from './password.ts'
import type { CookieNames } from './cookies.ts'
import { hashNewToken } from './session-token.ts'

export type AuthSettings = {
  db: Database
  secret: string
  names: CookieNames
  log?: FastifyBaseLogger
}

const stamps = { createdAt: 'created_at', updatedAt: 'updated_at' }
const day = 86_400

/** The origin that Better Auth is configured with; `account.routes.ts` checks the real origin. */
export const internalOrigin = 'http://daywright.invalid'

/** Better Auth, for sign-up, sign-in and sign-out. `credential-cache.ts` authenticates requests. */
export const createAuth = ({ db, secret, names, log }: AuthSettings) =>
  betterAuth({
    appName: 'Daywright',
    secret,
    basePath: '/api/auth',
    baseURL: internalOrigin,
    database: {
      dialect: new PostgresDialect({ pool: poolOf(db) }),
      type: 'postgres',
      schemaName: 'auth',
      transaction: true,
    },
    user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...stamps } },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...stamps,
      },
      expiresIn: 30 * day,
      updateAge: day,
      freshAge: 0,
    },
    account: {
      modelName: 'accounts',
      accountLinking: { enabled: false },
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...stamps,
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', ...stamps },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    // Adds roles, and refuses sign-in to disabled accounts. The plugin's endpoints stay closed: ours are in `admin/`.
    plugins: [
      admin({
        schema: {
          user: { fields: { banReason: 'ban_reason', banExpires: 'ban_expires' } },
          session: { fields: { impersonatedBy: 'impersonated_by' } },
        },
        bannedUserMessage: 'This account is disabled',
      }),
    ],
    databaseHooks: { session: { create: { before: async (session) => hashNewToken(session) } } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    onAPIError: { throw: true },
    logger: { log: (_level, message, ...more) => log?.debug({ betterAuth: more }, message) },
    advanced: {
      cookiePrefix: 'daywright',
      useSecureCookies: false, // it would add `__Secure-`; our names have their own prefix
      defaultCookieAttributes: { secure: names.isSecure },
      cookies: {
        session_token: { name: names.session },
        dont_remember: { name: names.dontRemember },
      },
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: () => newId(), validateSchema: false },
      ipAddress: { ipAddressHeaders: ['x-daywright-address'] },
    },
  })

const poolOf = ({ acquireClient }: Database) =>
  ({ connect: acquireClient, end: async () => {}, options: {} }) as unknown as PostgresPool

export type Auth = ReturnType<typeof createAuth>
