// What the service does with requests on the thread that serves them.
import Fastify from 'fastify'
import { z } from 'zod'
import { expandRule, writeCalendar, writeEvent } from '@daywright/ical'
import { complete, completionAt, linesOf, parseQuickAdd } from '@daywright/quick-add'
import { readRule } from '@daywright/recurrence'
import { writeFeed } from '../../../../../server/src/features/feeds/feed-file.ts'
import { readFeedToken, readKey } from '../../../../../server/src/platform/auth/api-key-format.ts'
import { readCookie, textIn } from '../../../../../server/src/platform/auth/cookies.ts'
import { visitorOf } from '../../../../../server/src/platform/http/address.ts'
import { bearerToken } from '../../../../../server/src/platform/http/authenticate.ts'
import { checkHost } from '../../../../../server/src/platform/http/check-host.ts'
import { crossSiteRefusal } from '../../../../../server/src/platform/http/same-site.ts'
import { refuseUnknown } from '../../../../../server/src/platform/http/validate.ts'
import { outboundAddresses } from '../../../../../server/src/platform/outbound/outbound-addresses.ts'
import { parseForeignJson } from '../../../../../server/src/platform/parse-json.ts'
import { requestBodies } from './request-bodies.ts'
import { field, header, list } from '../formats/requests.ts'
import { document, line, rule, text } from '../formats/texts.ts'
import { megabyte, now, type Taker } from '../taker.ts'
import { window, written } from './samples.ts'

const block = { ...written, id: 'a', thread: 'a', taskId: null, explanation: null }
const origin = 'https://plan.example.com'

const names = {
  spaces: [{ id: 's', name: 'Work' }],
  projects: [{ id: 'p', name: 'Website', spaceId: 's' }],
  labels: [{ id: 'l', name: 'Legal' }],
}
const quickAdd = (locale: string) => (input: string) =>
  parseQuickAdd(input, { now, zone: window.zone, locale, names })

const app = Fastify()
checkHost(app, origin)
refuseUnknown(app)
app.get('/', () => '')
const headers = ['host', 'prefer', 'cookie', 'accept-encoding', 'if-none-match', 'x-forwarded-for']
const refuseCrossSite = crossSiteRefusal(undefined, app.log)
type Asked = Parameters<typeof refuseCrossSite>[0]

/** The parts of these that are not objects; `lists` are those of them that are lists. */
const fields = fieldsOf(Object.values(requestBodies))
const lists = fields.filter((schema) => schema instanceof z.ZodArray)

function fieldsOf(roots: z.ZodType[]) {
  const found = new Set<z.ZodType>()
  const seen = new Set<unknown>()
  const visit = (schema: z.ZodType) => {
    if (seen.has(schema)) return
    seen.add(schema)
    const { innerType, in: input } = schema.def as { innerType?: z.ZodType; in?: z.ZodType }
    if (schema instanceof z.ZodObject) Object.values<z.ZodType>(schema.shape).forEach(visit)
    else if (schema instanceof z.ZodUnion) (schema.options as z.ZodType[]).forEach(visit)
    else if (innerType) visit(innerType)
    else found.add(schema)
    if (schema instanceof z.ZodArray) visit(schema.element as z.ZodType)
    if (input) visit(input)
  }
  roots.forEach(visit)
  return [...found]
}

export const takers: Taker[] = [
  {
    name: 'the name of a feed',
    format: text,
    take: (name) => writeFeed({ name, detail: 'full', blocks: [block] }, origin),
    mostBytes: 2 * megabyte,
    mostSteps: 250,
  },
  {
    name: 'a feed of many blocks',
    format: text,
    take: (titles) =>
      writeCalendar({
        name: 'Plan',
        product: 'Plan',
        refreshMinutes: 15,
        events: (titles.match(/[^]{1,500}/g) ?? []).map((title) => ({ ...written, title })),
      }),
    mostBytes: 2 * megabyte,
    mostSteps: 250,
    covers: ['writeCalendar'],
  },
  {
    name: 'writeEvent',
    format: text,
    take: (title) => writeEvent({ ...written, title, description: title, location: title }, 'Plan'),
    mostBytes: 200_000,
    mostSteps: 250,
    covers: ['writeEvent'],
  },
  {
    name: 'quick add in English',
    format: line,
    take: quickAdd('en-US'),
    mostBytes: 1000,
    mostSteps: 400_000,
  },
  {
    name: 'quick add in French',
    format: line,
    take: quickAdd('fr-FR'),
    mostBytes: 1000,
    mostSteps: 400_000,
  },
  {
    name: 'the lines of a pasted text',
    format: document,
    take: (pasted) => linesOf(pasted),
    mostBytes: megabyte,
    mostSteps: 3000,
  },
  {
    name: 'the completion of a name',
    format: line,
    take(input) {
      const completion = completionAt(input, input.length, names)
      return completion && complete(input, completion, names.spaces[0]!)
    },
    mostBytes: 1000,
    mostSteps: 1000,
  },
  {
    name: 'the rule of a series',
    format: rule,
    take(input) {
      const steps = { left: 200_000 }
      const span = { start: 0, startIsFirst: false, from: 0, to: 1e9, limit: 100, steps }
      return expandRule(readRule('times', input), span)
    },
    mostBytes: 2000,
    mostSteps: 50_000,
    covers: ['expandRule'],
  },
  {
    name: 'the fields of requests',
    format: field,
    take: (value) => fields.map((schema) => schema.safeParse(value)),
    mostBytes: megabyte,
    mostSteps: 20_000,
  },
  {
    name: 'the lists of requests',
    format: list,
    take(value) {
      const parsed = parseForeignJson(value)
      return lists.map((schema) => schema.safeParse(parsed))
    },
    mostBytes: megabyte,
    // Some 6,200 of them look for the depth of the nesting.
    mostSteps: 12_000,
  },
  {
    name: 'the credentials of a request',
    format: header,
    take: (value) => [
      readCookie(value, 'daywright.session_token'),
      textIn(value, 'secret'),
      readKey(value),
      readFeedToken(value),
      bearerToken(value),
      visitorOf(value),
    ],
    mostBytes: 16_000,
    mostSteps: 20_000,
  },
  {
    name: 'the headers of a request',
    format: header,
    take: (value) =>
      Promise.all(
        headers.map((name) =>
          app.inject({ url: '/', headers: { [name]: Buffer.from(value).toString('latin1') } }),
        ),
      ),
    mostBytes: 16_000,
    mostSteps: 5000,
  },
  {
    name: 'the origin of a request',
    format: header,
    take: (value) => refuseCrossSite({ headers: { origin: value, host: 'a' } } as unknown as Asked),
    mostBytes: 16_000,
    mostSteps: 1000,
  },
  {
    name: 'the address of a calendar or webhook',
    format: header,
    take: (url) => outboundAddresses('refuse', origin).refusalOf(new URL(url)),
    mostBytes: 2000,
    mostSteps: 50_000,
  },
]
