import { z } from 'zod'
import { Id, text } from './values.ts'

export const Profile = z
  .object({
    id: Id,
    email: z.string(),
    displayName: z.string(),
    timezone: z.string(),
    isAdmin: z.boolean(),
  })
  .meta({
    id: 'Profile',
    examples: [
      {
        id: '01980f2e-0000-7d3e-9b54-000000000001',
        email: 'ada@example.com',
        displayName: 'Ada',
        timezone: 'Australia/Sydney',
        isAdmin: false,
      },
    ],
  })

export const DisplayName = text(1, 200)

/** The service validates the timezone, with its own message. */
export const ProfileChanges = z
  .object({
    displayName: DisplayName,
    timezone: z.unknown().meta({ type: 'string', description: 'An IANA time zone' }),
  })
  .partial()
  .meta({ id: 'ProfileChanges', examples: [{ timezone: 'Australia/Sydney' }] })

// Temporal also accepts offsets such as +05:30, which are not zone names.
const zoneName = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/

export function isTimezone(name: unknown): name is string {
  if (typeof name !== 'string' || !zoneName.test(name)) return false
  try {
    // Not Intl: it also accepts names outside the IANA list, such as IST, which cannot be planned in.
    return Boolean(new Temporal.ZonedDateTime(0n, name))
  } catch {
    return false
  }
}

export type Profile = z.infer<typeof Profile>
