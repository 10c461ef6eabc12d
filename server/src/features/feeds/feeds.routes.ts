import { Feed, IssuedFeed, NewFeed, PathId, Success } from '@daywright/contract'
import { z } from 'zod'
import { readFeedToken } from '../../platform/auth/api-key-format.ts'
import { notFound } from '../../platform/errors.ts'
import { visitorOf } from '../../platform/http/address.ts'
import { errors, type OpenRoutes, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import { createRunQueue } from '../../platform/http/run-queue.ts'
import { createFeedCache } from './feed-cache.ts'
import { tagOf, writeFeed } from './feed-file.ts'
import { createFeed, deleteFeed, findFeed, listFeedBlocks, listFeeds } from './feeds.queries.ts'

const config = { sessionOnly: true }

export const feedRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/feeds',
    {
      config,
      schema: {
        operationId: 'listFeeds',
        summary: 'The feeds of my plan, newest first, without their addresses',
        response: { 200: z.array(Feed) },
      },
    },
    (request) => listFeeds(request.db, request.userId),
  )

  write(app).post(
    '/api/feeds',
    {
      config: { ...config, secretAnswer: true, security: 'feed-created' },
      schema: {
        operationId: 'createFeed',
        summary:
          'Create a secret address where calendar programs can read my plan; it is shown only once',
        body: NewFeed,
        response: { 201: IssuedFeed, ...errors(400, 409) },
      },
    },
    async (request, reply) => {
      reply.code(201)
      const made = await createFeed(request.db, request.userId, request.body)
      request.security = { feedId: (JSON.parse(made) as IssuedFeed).id }
      return made
    },
  )

  retry(app).delete(
    '/api/feeds/:id',
    {
      config: { ...config, security: 'feed-deleted' },
      schema: {
        operationId: 'deleteFeed',
        summary: 'Delete a feed: its address stops working at once',
        params: PathId,
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      request.security = { feedId: request.params.id }
      await deleteFeed(request.db, request.userId, request.params.id)
      return success
    },
  )
}

const headers = {
  'content-type': 'text/calendar; charset=utf-8',
  // Only the calendar program may cache the file, and it must ask each time whether the file has changed.
  'cache-control': 'private, no-cache',
  // Without a file name, a browser would name the saved file after the secret token.
  'content-disposition': 'attachment; filename="daywright.ics"',
}

/** Calendar programs read a feed rarely, and mostly get 304. */
const readLimits = { atOnce: 2, waitingPerUser: 4, waitingInAll: 200 }
const dayMs = 86_400_000

/** The files themselves, without sign-in: their addresses are secrets. */
export const feedFileRoutes =
  (publicUrl: string | undefined): OpenRoutes =>
  async (app, { db, now }) => {
    const cache = createFeedCache()
    const queue = createRunQueue(readLimits)

    app.get<{ Params: { file: string } }>(
      '/feeds/:file',
      { schema: { hide: true } },
      async (request, reply) => {
        const token = readFeedToken(request.params.file.replace(/\.ics$/, ''))
        if (!token) throw notFound('Not found')
        // Counted for the client address, since made-up tokens are looked up as well.
        const asked = db.as({ kind: 'system' }, { key: visitorOf(request.ip) })
        const { id, name, detail, last_event: lastEvent } = await findFeed(asked, token, now())
        const origin = publicUrl
          ? new URL(publicUrl).origin
          : `${request.protocol}://${request.host}`
        const day = new Date(Math.floor(now().getTime() / dayMs) * dayMs)
        const etag = tagOf({ id, name, detail, lastEvent, day: day.toISOString(), origin })
        reply.headers({ ...headers, etag })
        if (isKnown(request.headers['if-none-match'], etag)) {
          return reply.code(304).removeHeader('content-type').send()
        }
        // One at a time for each address, since writing a file takes time of the main thread.
        const file = await queue.enqueue(id, async () => {
          const known = cache.get(etag)
          if (known) return known
          const blocks = await listFeedBlocks(asked, token.userId, day)
          const written = Buffer.from(writeFeed({ name, detail, blocks }, origin))
          cache.add(etag, written)
          return written
        })
        return reply.send(file)
      },
    )
  }

/** Whether the client has this version already. A proxy that compresses the file makes its ETag weak. */
const isKnown = (header: string | undefined, etag: string) =>
  header?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag) ?? false
