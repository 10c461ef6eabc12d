import { Cursor } from '@daywright/contract'
import { z } from 'zod'
import { badRequest, tooManyRequests, unavailable } from '../../platform/errors.ts'
import { visitorOf } from '../../platform/http/address.ts'
import { setCommonHeaders } from '../../platform/http/admission.ts'
import { errors, type Routes } from '../../platform/http/routes.ts'
import { place } from './event-json.ts'
import type { Streams } from './streams.ts'

const Query = z.object({ since: Cursor.optional() })
const Resumption = z.object({ 'last-event-id': z.string().optional() })
const example = 'id: 42-1\nevent: label.updated\ndata: {…}\n\n'
/** Streams per user, so that one user cannot take all of them. */
const mostOfOne = 50
/** The reconnection delay for clients. */
const retryMs = 1000

export const eventsRoutes =
  (streams: Streams, most: number): Routes =>
  async (app, { callers, now }) => {
    app.get(
      '/api/events',
      {
        config: { stream: true },
        schema: {
          operationId: 'followEvents',
          summary: 'A stream of changes as they happen, as server-sent events',
          description:
            'Each message has the id, the type and the JSON of an `Event`. A client that reconnects ' +
            'with `Last-Event-ID` (browsers send it automatically) or `since` misses nothing.',
          querystring: Query,
          headers: Resumption,
          response: {
            200: {
              description: 'A stream of events',
              content: {
                'text/event-stream': { schema: z.string().meta({ examples: [example] }) },
              },
            },
            ...errors(400),
          },
        },
      },
      async (request, reply) => {
        const since = request.headers['last-event-id'] ?? request.query.since
        if (since !== undefined && !Cursor.safeParse(since).success) {
          throw badRequest('Last-Event-ID must be the id of an event')
        }
        if (streams.countOf(request.userId) >= mostOfOne) throw tooManyRequests(retryMs / 1000)
        const visitor = visitorOf(request.ip)
        if (!streams.hasRoom(visitor, most)) throw unavailable('Too many open streams')
        // The client has disconnected meanwhile.
        if (request.raw.socket.destroyed) return reply.hijack()
        const { userId, caller } = request
        const { authorization = '', cookie = '' } = request.headers
        const socket = reply.raw
        const stream = {
          begin() {
            setCommonHeaders(request, reply)
            reply.hijack()
            socket.writeHead(200, {
              ...(reply.getHeaders() as Record<string, string>),
              'content-type': 'text/event-stream; charset=utf-8',
              'x-accel-buffering': 'no',
            })
            socket.write(`retry: ${retryMs}\n\n`)
          },
          // Disconnect slow consumers; they resume via Last-Event-ID.
          write: (text: string) => {
            if (!socket.destroyed && !socket.write(text)) cutIfSlow(socket, streams.countOf(userId))
          },
          isFull: () => socket.writableNeedDrain,
          cut: () => void socket.destroy(),
          end: () => void socket.end(),
          isAllowed: async () =>
            Boolean(
              await (caller.keyId === undefined
                ? callers.bySession(cookie, now())
                : callers.byKey(authorization.slice(7), now())),
            ),
        }
        if (request.method === 'HEAD') {
          stream.begin()
          return stream.end()
        }
        const from = since === undefined ? undefined : place(since)
        const opened = streams.open({ userId, visitor }, stream, from)
        socket.on('drain', () => streams.wake(userId))
        socket.once('close', () => void opened.then((close) => close()).catch(() => {}))
        await opened
      },
    )
  }

const mostUnread = 4 * 1024 * 1024
const leastShare = 256 * 1024

/** A user's streams share one limit of unread bytes. */
function cutIfSlow(socket: { writableLength: number; destroy(): void }, streams: number) {
  const share = Math.max(leastShare, mostUnread / Math.max(1, streams))
  if (socket.writableLength > share) socket.destroy()
}
