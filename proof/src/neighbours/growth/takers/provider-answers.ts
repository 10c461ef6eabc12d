import type { WrittenEvent } from '@daywright/ical'
import {
  type AnswerName,
  answers,
} from '../../../../../server/src/features/connected-accounts/answers.ts'
import { googleProvider } from '../../../../../server/src/features/connected-accounts/google.ts'
import { microsoftProvider } from '../../../../../server/src/features/connected-accounts/microsoft.ts'
import {
  exchangeCode,
  refreshTokens,
} from '../../../../../server/src/features/connected-accounts/oauth.ts'
import { objectOf } from '../../../../../server/src/features/connected-accounts/objects.ts'
import type { Asking } from '../../../../../server/src/features/connected-accounts/provider.ts'
import { parseForeignJson } from '../../../../../server/src/platform/parse-json.ts'
import { events, jsonAnswer, tokens } from '../formats/json-answer.ts'
import { megabyte, now, type Taker } from '../taker.ts'
import { window } from './samples.ts'

const api = 'https://graph.example.com'
const span = { from: new Date(window.from), to: new Date(window.to), mostEvents: 20_000 }
const nothingStored = { token: null, etags: new Map<string, string>() }

/** The provider answers every request with this. */
const asking = (body: string) =>
  ({
    async ask(name: AnswerName) {
      return answers[name].parse(parseForeignJson(body))
    },
    writeObjects: async (all: WrittenEvent[]) => all.map(objectOf),
  }) as unknown as Asking

const client = {
  id: 'a',
  secret: 'b',
  authorizeUrl: 'https://example.com/',
  tokenUrl: 'https://example.com/',
  scope: 'a',
  more: {},
}
const answering = (body: string) => async () => ({
  kind: 'answered' as const,
  status: 200,
  content: { body: Buffer.from(body), encoding: null },
  location: null,
  etag: null,
})
const grant = { code: 'a', verifier: 'b', redirectUri: 'c' }
const expired = { accessToken: 'a', expiresAt: 0, refreshToken: 'b' }

/** Some 6,200 of them look for the depth of the nesting. */
const mostSteps = 14_000

export const takers: Taker[] = [
  {
    name: 'the answers of providers',
    format: jsonAnswer,
    take(body) {
      const read: unknown = parseForeignJson(body)
      return Object.values(answers).map((schema) => schema.safeParse(read))
    },
    mostBytes: 20 * megabyte,
    mostSteps,
    covers: Object.keys(answers).map((name) => `answer ${name}`),
  },
  {
    name: 'the events of Google',
    format: events,
    take: (body) =>
      googleProvider(api).syncEvents(
        asking(body),
        `${api}/calendars/a/events`,
        nothingStored,
        span,
      ),
    mostBytes: 20 * megabyte,
    mostSteps,
  },
  {
    name: 'the events of Microsoft',
    format: events,
    take: (body) =>
      microsoftProvider(api).syncEvents(
        asking(body),
        `${api}/me/calendars/a/calendarView/delta`,
        nothingStored,
        span,
      ),
    mostBytes: 20 * megabyte,
    mostSteps,
  },
  {
    name: 'the calendars of providers',
    format: events,
    take: (body) =>
      Promise.allSettled([
        googleProvider(api).listCalendars(asking(body).ask),
        microsoftProvider(api).listCalendars(asking(body).ask),
      ]),
    mostBytes: 20 * megabyte,
    // Two answers are parsed.
    mostSteps: 2 * mostSteps,
  },
  {
    name: 'the tokens of providers',
    format: tokens,
    take: (body) =>
      Promise.allSettled([
        exchangeCode(answering(body), client, grant, now),
        refreshTokens(answering(body), client, expired, now),
      ]),
    mostBytes: 100_000,
    mostSteps: 13_500,
  },
]
