import { z } from 'zod'
import { HexColor, Id, text, Timestamp } from './values.ts'

export const ConnectedAccountKind = z.enum(['google', 'microsoft'])

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2ed4',
  kind: 'google' as const,
  email: 'ada@example.com',
  createdAt: '2026-03-01T08:00:00.000Z',
}

export const ConnectedAccount = z
  .object({
    id: Id,
    kind: ConnectedAccountKind,
    email: z.string().meta({
      description: 'The e-mail address of the account; empty if the provider does not report it',
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'ConnectedAccount', examples: [example] })

export const ConnectedAccounts = z
  .object({
    kinds: z.array(ConnectedAccountKind).meta({
      description: 'The kinds of accounts that this server can connect',
    }),
    accounts: z.array(ConnectedAccount),
  })
  .meta({ id: 'ConnectedAccounts', examples: [{ kinds: ['google'], accounts: [example] }] })

export const NewAccountAuthorization = z.object({ kind: ConnectedAccountKind }).meta({
  id: 'NewAccountAuthorization',
  examples: [{ kind: 'google' }],
})

export const AccountAuthorization = z
  .object({
    url: z.string().meta({ description: 'The page of the provider where the user allows access' }),
  })
  .meta({
    id: 'AccountAuthorization',
    examples: [{ url: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=…' }],
  })

export const NewConnectedAccount = z.object({ code: text(1, 4096), state: text(1, 4096) }).meta({
  id: 'NewConnectedAccount',
  description: 'The query parameters with which the provider redirects the user back',
  examples: [{ code: '4/0AX4XfWh…', state: 'k1.…' }],
})

export const AccountCalendars = z
  .object({
    calendars: z.array(
      z.object({
        url: z.string().meta({
          description: 'The `url` for `POST /api/calendars`, to be sent with `accountId`',
        }),
        name: z.string(),
        color: HexColor.nullable(),
      }),
    ),
  })
  .meta({
    id: 'AccountCalendars',
    examples: [
      {
        calendars: [
          {
            url: 'https://www.googleapis.com/calendar/v3/calendars/ada%40example.com/events',
            name: 'Ada',
            color: '#9FE1E7',
          },
        ],
      },
    ],
  })

export type ConnectedAccountKind = z.infer<typeof ConnectedAccountKind>
export type ConnectedAccount = z.infer<typeof ConnectedAccount>
export type ConnectedAccounts = z.infer<typeof ConnectedAccounts>
export type AccountCalendars = z.infer<typeof AccountCalendars>
