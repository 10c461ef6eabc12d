// Wrappers around route handlers, which a route names where it is declared: `write(queue(app)).post(…)` declares a
// route whose handler is queued, and then replayed or retried.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Cipher } from '../auth/encryption.ts'
import { retrying } from '../db/database.ts'
import { unavailable } from '../errors.ts'
import { digest, replayInOwnTransaction, replayRepeated } from './idempotency.ts'
import type { RunQueue } from './run-queue.ts'

export type Wrapper = (
  request: FastifyRequest,
  reply: FastifyReply,
  handle: () => unknown,
) => Promise<unknown>

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Declare = (path: string, options: object, handler: RouteHandlerMethod) => unknown

const wrapped = new WeakSet<RouteHandlerMethod>()

/** Declares routes as `app` does, with the wrapper around their handlers. */
const wrapIn =
  (wrapper: Wrapper) =>
  <App extends Record<Method, unknown>>(app: App): Pick<App, Method> => {
    const declare =
      (method: Method): Declare =>
      (path, options, handler) => {
        const whole: RouteHandlerMethod = function (request, reply) {
          return wrapper(request, reply, () => handler.call(this, request, reply))
        }
        wrapped.add(whole)
        return (app[method] as Declare).call(app, path, options, whole)
      }
    return {
      get: declare('get'),
      post: declare('post'),
      put: declare('put'),
      patch: declare('patch'),
      delete: declare('delete'),
    }
  }

/** Retries the handler after a conflict with a concurrent request. */
export const retry = wrapIn((_request, _reply, handle) => retrying(async () => handle()))

/**
 * Queues the handler before it takes a connection, so that one at a time runs per user. A waiting request holds no
 * slot, and no body unless its schema bounds the body.
 */
export const queueIn = (runQueue: RunQueue) =>
  wrapIn((request, _reply, handle) => {
    request.place?.leave()
    if (request.body && !request.routeOptions.schema?.body) {
      request.body = digest(JSON.stringify(request.body)).toString('hex')
    }
    return runQueue.enqueue(request.userId, async () => {
      if (request.raw.socket.destroyed) throw unavailable('The client has disconnected')
      return handle()
    })
  })

/** Without an Idempotency-Key the handler just runs. */
const ifKeyed = (replay: Wrapper) =>
  wrapIn(async (request, reply, handle) => {
    const key = request.headers['idempotency-key']
    return key === undefined ? handle() : replay(request, reply, handle)
  })

export type Wrappers = ReturnType<typeof createWrappers>

export function createWrappers(now: () => Date, cipher: Cipher, runQueue: RunQueue) {
  const replay = ifKeyed(replayRepeated(now, cipher))
  return {
    /** For POST, PUT and PATCH: a repeated Idempotency-Key is replayed, and a conflict retried. */
    write: <App extends Record<Method, unknown>>(app: App) => replay(retry(app)),
    /** Like `write`, for a handler that calls `request.db.transaction` last, and retries by itself. */
    writeInOwnTransaction: ifKeyed(replayInOwnTransaction(now, cipher)),
    /** Queues the handler with the planner runs. */
    queue: queueIn(runQueue),
  }
}

/** Refuses to start with a route that writes without `write` or `retry`. */
export function requireWrappers(app: FastifyInstance) {
  app.addHook('onRoute', ({ method, url, handler }) => {
    const writes = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method))
    if (writes && !wrapped.has(handler)) throw new Error(`${String(method)} ${url} is not wrapped`)
  })
}
