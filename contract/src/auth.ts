// The requests and responses of sign-up and sign-in, as Better Auth defines them.
import { z } from 'zod'
import { DisplayName, isTimezone } from './user.ts'
import { Id, text, Timestamp } from './values.ts'

const Password = z.string().min(8).max(128)
const Email = z.email().max(254)
const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' }

export const SignUp = z
  .object({
    email: Email,
    password: Password,
    name: DisplayName,
    timezone: z.string().refine(isTimezone, 'Must be an IANA zone').optional(),
    setupToken: z.string().max(100).optional().meta({
      description:
        'Required for the first account if other machines can reach the service. It is logged at start',
    }),
  })
  .meta({
    id: 'SignUp',
    examples: [{ ...credentials, name: 'Ada', timezone: 'Australia/Sydney' }],
  })

export const SignUpState = z
  .object({
    open: z.boolean().meta({ description: 'Whether sign-up is open' }),
    needsSetupToken: z.boolean().meta({ description: 'Whether sign-up needs the setup token' }),
  })
  .meta({ id: 'SignUpState', examples: [{ open: true, needsSetupToken: false }] })

export const SignIn = z
  .object({ email: Email, password: z.string().max(128), rememberMe: z.boolean().optional() })
  .meta({ id: 'SignIn', examples: [credentials] })

export const PasswordChange = z
  .object({
    currentPassword: z.string().max(128),
    newPassword: Password,
    revokeOtherSessions: z
      .boolean()
      .optional()
      .meta({ description: 'Whether to end all my other sessions; default: true' }),
  })
  .meta({
    id: 'PasswordChange',
    examples: [{ currentPassword: credentials.password, newPassword: 'a longer sentence still' }],
  })

const user = {
  id: '01980f2e-0000-7d3e-9b54-000000000001',
  email: credentials.email,
  name: 'Ada',
}
export const SignedIn = z
  .looseObject({ user: z.looseObject({ id: Id, email: z.string(), name: z.string() }) })
  .meta({ id: 'SignedIn', examples: [{ user }] })

const session = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2ec1',
  token: 'Rk3vPz…',
  createdAt: '2026-03-02T08:00:00.000Z',
  expiresAt: '2026-03-09T08:00:00.000Z',
}
export const Session = z
  .looseObject({ id: Id, token: z.string(), createdAt: Timestamp, expiresAt: Timestamp })
  .meta({ id: 'Session', examples: [session] })

export const CurrentSession = z
  .looseObject({ session: Session, user: z.looseObject({ id: Id, email: z.string() }) })
  .nullable()
  .meta({ id: 'CurrentSession', examples: [{ session, user }] })

/** Better Auth's success response. */
export const Done = z.looseObject({}).meta({ id: 'Done', examples: [{ success: true }] })

export const SessionToRevoke = z
  .object({ token: text(1, 255) })
  .meta({ id: 'SessionToRevoke', examples: [{ token: session.token }] })

export type SignUp = z.infer<typeof SignUp>
export type SignUpState = z.infer<typeof SignUpState>
export type SignIn = z.infer<typeof SignIn>
export type PasswordChange = z.infer<typeof PasswordChange>
export type SignedIn = z.infer<typeof SignedIn>
export type Session = z.infer<typeof Session>
export type CurrentSession = z.infer<typeof CurrentSession>
