import { z } from 'zod'
import { CreatedBy, HexColor, Id, nothingToChange, text, Timestamp } from './values.ts'

/** A secret: anyone who has it can read the calendar. Calendar programs often show `webcal:` instead of `https:`. */
export const CalendarUrl = text(1, 2048)
  .refine((url) => {
    const parsed = URL.parse(url)
    return (
      parsed !== null &&
      /^(https?|webcals?):$/.test(parsed.protocol) &&
      parsed.hostname !== '' &&
      !parsed.username &&
      !parsed.password
    )
  }, 'Must be an http, https or webcal URL without credentials')
  .meta({
    description:
      'The address of an iCalendar file, a calendar or a CalDAV server. A stored address is never returned',
  })

const Name = text(1, 200)

export const CalendarUsername = text(1, 200).refine(
  (name) => !name.includes(':'),
  'Must not contain a colon',
)
export const CalendarPassword = text(1, 1000).meta({
  description: 'The password for the CalDAV server. It is stored encrypted and never returned',
})
const credentials = { username: CalendarUsername, password: CalendarPassword }

const isPair = ({ username, password }: { username?: string; password?: string }) =>
  (username === undefined) === (password === undefined)
const notPair = {
  path: ['password'],
  error: 'Must be given together with username',
  // Checked only if there are no other errors.
  when: ({ issues }: { issues: unknown[] }) => issues.length === 0,
}

/** `marked`: only all-day events that are marked as busy. */
export const AllDayRule = z.enum(['marked', 'always', 'never'])

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2ea1',
  name: 'Work',
  color: '#8A8680',
  shown: true,
  host: 'calendar.example.com',
  kind: 'file' as const,
  username: null,
  accountId: null,
  blocks: true,
  allDay: 'marked' as const,
  tentativeBlocks: true,
  paddingMinutes: 0,
  eventCount: 212,
  completeUntil: '2026-09-02T00:00:00.000Z',
  skipped: [{ title: 'Stand-up', reason: 'rule-not-understood' }],
  skippedCount: 1,
  fetchedAt: '2026-03-02T08:00:00.000Z',
  changedAt: '2026-03-02T07:15:00.000Z',
  nextFetchAt: '2026-03-02T08:15:00.000Z',
  error: null,
  createdBy: { kind: 'person' as const },
  createdAt: '2026-03-01T08:00:00.000Z',
  updatedAt: '2026-03-01T08:00:00.000Z',
}

const Skipped = z.object({
  title: z.string(),
  reason: z.string().meta({
    description: 'Why the event was left out, such as `too-many-occurrences`',
  }),
})

const Settings = {
  name: Name,
  color: HexColor,
  shown: z.boolean().meta({
    description: 'Whether apps show the events of this calendar; hidden events still block time',
  }),
  blocks: z.boolean().meta({ description: 'Whether the planner plans around its events' }),
  allDay: AllDayRule.meta({
    description: 'Which all-day events block the day; `marked`: those that are marked as busy',
  }),
  tentativeBlocks: z.boolean(),
  paddingMinutes: z
    .int()
    .min(0)
    .max(60)
    .meta({ description: 'The minutes that are kept free before and after an event' }),
}

/**
 * `file`: an iCalendar file at an address; `caldav`: a calendar of an account at a CalDAV server; `google` and
 * `microsoft`: a calendar of a connected account.
 */
export const CalendarKind = z.enum(['file', 'caldav', 'google', 'microsoft'])

export const Calendar = z
  .object({
    id: Id,
    ...Settings,
    host: z.string().meta({ description: 'The host name in the address of the calendar' }),
    kind: CalendarKind,
    username: z.string().nullable().meta({
      description: 'The user name at the CalDAV server; null unless `kind` is `caldav`',
    }),
    accountId: Id.nullable().meta({
      description: 'The connected account that the calendar belongs to, if any',
    }),
    eventCount: z.int().meta({
      description: 'The number of stored events, from 31 days ago to 184 days ahead',
    }),
    completeUntil: Timestamp.nullable().meta({
      description: 'Events after this time are not known; null before the first successful fetch',
    }),
    skipped: z.array(Skipped),
    skippedCount: z.int(),
    fetchedAt: Timestamp.nullable().meta({ description: 'When the last fetch succeeded' }),
    changedAt: Timestamp.nullable(),
    nextFetchAt: Timestamp.nullable(),
    error: z.string().nullable().meta({ description: 'Why the last fetch failed' }),
    createdBy: CreatedBy.meta({
      description:
        'The signed-in user or API key that added the calendar, or that last changed its URL or password. When that key ' +
        'is revoked or expires, the calendar is no longer fetched until a refresh is requested. Null if this was not recorded',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Calendar', examples: [example] })

export const NewCalendar = z
  .object({
    url: CalendarUrl,
    ...z.object({ ...credentials, ...Settings }).partial().shape,
    accountId: Id.optional().meta({
      description: 'The connected account that the calendar belongs to',
    }),
  })
  .refine(isPair, notPair)
  .refine(({ accountId, username }) => accountId === undefined || username === undefined, {
    path: ['accountId'],
    error: 'Must not be given together with username',
    when: ({ issues }) => issues.length === 0,
  })
  .meta({
    id: 'NewCalendar',
    description:
      'With `username` and `password`: a calendar at a CalDAV server. With `accountId`: a calendar of a ' +
      'connected account. Otherwise: an iCalendar file',
    examples: [
      { url: 'https://calendar.example.com/ada/private.ics', name: 'Work' },
      { url: 'https://dav.example.com/ada/work/', username: 'ada', password: 'app password' },
    ],
  })

export const CalendarChanges = z
  .object({ url: CalendarUrl, ...credentials, ...Settings })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, nothingToChange)
  .refine(isPair, notPair)
  .meta({
    id: 'CalendarChanges',
    description:
      'A new `url` without `username` and `password` is read as an iCalendar file: the stored password is ' +
      'never sent to another address',
    examples: [{ blocks: false }, { username: 'ada', password: 'new app password' }],
  })

export const CalendarAddress = z.object({ url: CalendarUrl }).meta({
  id: 'CalendarAddress',
  examples: [{ url: 'https://calendar.example.com/ada/private.ics' }],
})

export const CalendarAccount = z.object({ url: CalendarUrl, ...credentials }).meta({
  id: 'CalendarAccount',
  examples: [{ url: 'https://dav.example.com', username: 'ada', password: 'app password' }],
})

export const FoundCalendars = z
  .object({
    calendars: z.array(
      z.object({
        url: z.string().meta({
          description: 'The `url` for `POST /api/calendars` and `POST /api/plan-calendars`',
        }),
        name: z.string(),
        color: HexColor.nullable(),
        mayWrite: z.boolean(),
      }),
    ),
    home: z.string().nullable().meta({
      description:
        'The address under which calendars can be created; null if the server does not report one',
    }),
  })
  .meta({
    id: 'FoundCalendars',
    examples: [
      {
        home: 'https://dav.example.com/ada/',
        calendars: [
          {
            url: 'https://dav.example.com/ada/work/',
            name: 'Work',
            color: '#11AA33',
            mayWrite: true,
          },
        ],
      },
    ],
  })

const PreviewedEvent = z.object({
  title: z.string(),
  startAt: Timestamp,
  endAt: Timestamp,
  allDay: z.boolean(),
})

export const CalendarPreview = z
  .object({
    name: z.string().nullable(),
    timezone: z.string().nullable(),
    eventCount: z.int(),
    next: z.array(PreviewedEvent).meta({ description: 'The next five events' }),
    skipped: z.array(Skipped),
    skippedCount: z.int(),
  })
  .meta({
    id: 'CalendarPreview',
    examples: [
      {
        name: 'Work',
        timezone: 'Europe/Berlin',
        eventCount: 212,
        next: [
          {
            title: 'Stand-up',
            startAt: '2026-03-03T09:00:00.000Z',
            endAt: '2026-03-03T09:15:00.000Z',
            allDay: false,
          },
        ],
        skipped: [],
        skippedCount: 0,
      },
    ],
  })

export const CalendarEvent = z
  .object({
    id: Id,
    calendarId: Id,
    title: z.string(),
    location: z.string().nullable(),
    startAt: Timestamp,
    endAt: Timestamp,
    allDay: z.boolean(),
    tentative: z.boolean(),
    blocks: z.boolean().meta({ description: 'Whether the planner plans around this event' }),
  })
  .meta({
    id: 'CalendarEvent',
    examples: [
      {
        id: '5b0c2f0e-7c1a-8d3e-9b54-3f1a6c0d2eb2',
        calendarId: example.id,
        title: 'Stand-up',
        location: 'Room 4',
        startAt: '2026-03-03T09:00:00.000Z',
        endAt: '2026-03-03T09:15:00.000Z',
        allDay: false,
        tentative: false,
        blocks: true,
      },
    ],
  })

export type Calendar = z.infer<typeof Calendar>
export type NewCalendar = z.infer<typeof NewCalendar>
export type CalendarChanges = z.infer<typeof CalendarChanges>
export type CalendarAccount = z.infer<typeof CalendarAccount>
export type FoundCalendars = z.infer<typeof FoundCalendars>
export type CalendarAddress = z.infer<typeof CalendarAddress>
export type CalendarPreview = z.infer<typeof CalendarPreview>
export type CalendarEvent = z.infer<typeof CalendarEvent>
export type AllDayRule = z.infer<typeof AllDayRule>
