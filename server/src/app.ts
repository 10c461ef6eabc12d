import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { adminRoutes } from './admin/admin.routes.ts'
import { jobRoutes } from './admin/jobs.routes.ts'
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { createAuth } from './auth/better-auth.ts'
import { cookieNames } from './auth/cookies.ts'
import { rememberCallers } from './auth/callers.ts'
import { sealWith } from './auth/seal.ts'
import { instanceSecret } from './auth/secret.ts'
import { signUpRules } from './auth/sign-up-rules.ts'
import { changesRoutes } from './changes/changes.routes.ts'
import { checklistItemRoutes } from './checklist-items/checklist-items.routes.ts'
import { type Config, servesReference } from './config.ts'
import type { Database } from './db/database.ts'
import { documentRoutes } from './documents/documents.routes.ts'
import { notFound } from './errors.ts'
import { eventsRoutes } from './events/events.routes.ts'
import { openStreams } from './events/streams.ts'
import { historyRoutes } from './history/history.routes.ts'
import { networksOf } from './http/address.ts'
import { admitTo } from './http/admission.ts'
import { arrive, type Lifecycle } from './http/arrive.ts'
import { authenticate } from './http/authenticate.ts'
import { checkProxy } from './http/check-proxy.ts'
import { answerHealth } from './http/health.ts'
import { logRequests } from './http/log-requests.ts'
import { methodNotAllowed } from './http/method-not-allowed.ts'
import { type Metrics, publishMetrics } from './http/metrics.ts'
import { publishOpenApi } from './http/openapi.ts'
import { limitRate } from './http/rate-limit.ts'
import { answerToPublicHost } from './http/public-host.ts'
import { publishReference } from './http/reference.ts'
import type { Routes } from './http/routes.ts'
import { crossSiteRefusal } from './http/same-site.ts'
import { logSecurity } from './http/security-log.ts'
import { sendError } from './http/send-error.ts'
import { serialize } from './http/serialize.ts'
import { refuseUnknown } from './http/strict.ts'
import { takeTurns } from './http/turns.ts'
import { watchUnread } from './http/unread.ts'
import { validate } from './http/validate.ts'
import { writeOnce } from './http/write.ts'
import { labelRoutes } from './labels/labels.routes.ts'
import { notificationRoutes } from './notifications/notifications.routes.ts'
import { plannerRoutes } from './planner/planner.routes.ts'
import { type Solve, solveInThreads } from './planner/solve.ts'
import { projectRoutes } from './projects/projects.routes.ts'
import { schedulePreferenceRoutes } from './schedule-preferences/schedule-preferences.routes.ts'
import { settingsRoutes } from './settings/settings.routes.ts'
import { spaceRoutes } from './spaces/spaces.routes.ts'
import { taskLinkRoutes } from './tasks/task-links.routes.ts'
import { taskRoutes } from './tasks/tasks.routes.ts'
import { timeBlockRoutes } from './time-blocks/time-blocks.routes.ts'
import { usageRoutes } from './usage/usage.routes.ts'
import { userRoutes } from './user/user.routes.ts'
import { serveWeb } from './web/serve-web.ts'
import { receiverAddresses } from './webhooks/receiver-addresses.ts'
import { webhookRoutes } from './webhooks/webhooks.routes.ts'
import { lookAtBacklog } from './worker/backlog.ts'
import { type Queue, queueOn } from './worker/queue.ts'

/** All slices of the API; a new slice must be added here. */
const slices: Routes[] = [
  taskRoutes,
  taskLinkRoutes,
  checklistItemRoutes,
  projectRoutes,
  labelRoutes,
  spaceRoutes,
  documentRoutes,
  schedulePreferenceRoutes,
  timeBlockRoutes,
  userRoutes,
  settingsRoutes,
  usageRoutes,
  notificationRoutes,
  changesRoutes,
  historyRoutes,
  apiKeyRoutes,
  adminRoutes,
]

export type AppOptions = {
  db: Database
  /** The job queue; by default in the same database. */
  queue?: Queue
  now: () => Date
  /** Runs the planner in threads; by default in threads of its own. */
  solve?: Solve
  config: Config
  lifecycle: Lifecycle
  options?: FastifyServerOptions
}

/** Builds the HTTP service, ready to listen (`bin/api.ts`) or to be called by a test. */
export async function buildApp(appOptions: AppOptions) {
  const { db, now, config, lifecycle, options = {} } = appOptions
  const queue = appOptions.queue ?? queueOn(db.pool)
  const app = Fastify({
    ...options,
    bodyLimit: 1024 * 1024,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 65_000,
    // Check for slow requests every second instead of every 30 s.
    http: { headersTimeout: config.REQUEST_TIMEOUT_MS, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    trustProxy: config.TRUST_PROXY ?? false,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: () => crypto.randomUUID(),
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    routerOptions: { maxParamLength: 1000 },
    // A malformed percent-encoding is treated as an unknown id, so that 401 still comes first.
    rewriteUrl: ({ url = '/' }) => (isReadable(url) ? url : url.replaceAll('%', '%25')),
  })
  app.setValidatorCompiler(validate)
  app.setSerializerCompiler(serialize)
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(() => {
    throw notFound('Not found')
  })
  readJsonOnly(app)

  logRequests(app)
  checkProxy(app)
  logSecurity(app, now)
  answerToPublicHost(app, config.PUBLIC_URL)
  const unread = watchUnread({
    maxBytes: config.MAX_UNREAD_BYTES,
    patienceMs: config.READ_TIMEOUT_MS,
    bytesPerSecond: config.READ_BYTES_PER_SECOND,
  })
  const admission = admitTo(config.MAX_IN_FLIGHT)
  const { inFlight, admitUser } = arrive(app, { lifecycle, admission, unread })
  if (config.RATE_LIMIT === 'on') app.addHook('onRequest', perAddress())
  app.addHook('onRequest', refuseUnknownPath)
  const metrics = publishMetrics(app, {
    db,
    inFlight,
    backlog: () => lookAtBacklog(db, queue),
    token: config.METRICS_TOKEN,
  })
  app.decorate('metrics', metrics)
  const names = cookieNames(config.PUBLIC_URL)
  await publishOpenApi(app, names)
  if (servesReference(config)) await publishReference(app)
  answerHealth(app, db, lifecycle, () => queue.countAlive())
  serveWeb(app)

  const secret = instanceSecret(db, config.AUTH_SECRET)
  const signUp = signUpRules(db, config, secret)
  const callers = rememberCallers(db, { secret, names, firstIsAdmin: signUp.firstIsAdmin })
  const streams = openStreams(db, lifecycle, app.log)
  const turns = takeTurns({
    atOnce: Math.max(1, Math.floor(config.POOL_SIZE / 2)),
    waitingPerUser: config.MAX_WAITING_RUNS_PER_USER,
    waitingInAll: config.MAX_WAITING_RUNS,
  })
  const dependencies = { db, now, callers }
  const refuseCrossSite = crossSiteRefusal(config.PUBLIC_URL, app.log)
  let made: ReturnType<typeof createAuth> | undefined
  const auth = async () =>
    (made ??= createAuth({ db, secret: await secret(), names, log: app.log }))

  app.decorateRequest('userId', '')
  app.decorateRequest('caller')
  app.decorateRequest('db')
  await app.register(async (open) => {
    const closeRest = methodNotAllowed(open)
    const rateLimit = config.RATE_LIMIT
    const settings = { auth, secret, names, signUp, refuseCrossSite, rateLimit }
    await open.register(authRoutes(settings), dependencies)
    closeRest()
  })
  await app.register(async (api) => {
    api.addHook('onRoute', (route) => {
      route.config = { ...route.config, isUsers: true }
    })
    api.addHook('onRequest', authenticate({ ...dependencies, refuseCrossSite, unread }))
    api.addHook('onRequest', admitUser)
    if (config.RATE_LIMIT === 'on') api.addHook('onRequest', perKey())
    refuseUnknown(api)
    const seal = sealWith(secret)
    api.addHook('onRoute', writeOnce({ now, seal, turns }))
    api.addHook('onResponse', (request, _reply, done) => {
      if (request.method !== 'GET') streams.wake(request.userId)
      done()
    })
    const closeRest = methodNotAllowed(api)
    const receivers = receiverAddresses(config.WEBHOOK_PRIVATE_ADDRESSES, config.PUBLIC_URL)
    const more = [
      plannerRoutes(appOptions.solve ?? startThreads()),
      eventsRoutes(streams, config.MAX_STREAMS),
      webhookRoutes(receivers, seal),
      jobRoutes(queue),
    ]
    for (const slice of [...slices, ...more]) await api.register(slice, dependencies)
    closeRest()
  })
  return app

  function startThreads() {
    const { solve, stop } = solveInThreads(config.PLANNER_THREADS)
    app.addHook('onClose', stop)
    return solve
  }
  function perAddress() {
    const perSecond = config.RATE_LIMIT_PER_ADDRESS
    const rate = { perSecond, burst: perSecond * 5 }
    const limit = limitRate('address', rate, now, ({ ip }) => networksOf(ip))
    // Health checks must be answered even if their address is over its rate.
    return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) =>
      request.url.startsWith('/health/') ? done() : limit(request, reply, done)
  }
  function perKey() {
    const perSecond = config.RATE_LIMIT_PER_KEY
    const times = config.RATE_LIMIT_PER_USER / perSecond
    return limitRate('key', { perSecond, burst: perSecond * 5 }, now, ({ caller }) => [
      { key: `key ${caller.keyId ?? caller.userId}`, times: 1 },
      { key: `user ${caller.userId}`, times },
    ])
  }
}

/** The health and metrics endpoints of a separate worker process. */
export async function buildWorkerApp({
  db,
  queue,
  config,
  lifecycle,
  options = {},
}: AppOptions & { queue: Queue }) {
  const app = Fastify({
    ...options,
    forceCloseConnections: 'idle',
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.setSerializerCompiler(serialize)
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(() => {
    throw notFound('Not found')
  })
  const metrics = publishMetrics(app, {
    db,
    inFlight: () => 0,
    backlog: () => lookAtBacklog(db, queue),
    token: config.METRICS_TOKEN,
  })
  app.decorate('metrics', metrics)
  answerHealth(app, db, lifecycle, () => queue.countAlive())
  return app
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

/** Answers an unknown path before its body is read: a malformed body would turn 404 into 400. */
function refuseUnknownPath(
  request: FastifyRequest,
  _: FastifyReply,
  done: (error?: Error) => void,
) {
  done(request.is404 ? notFound('Not found') : undefined)
}

function isReadable(url: string) {
  try {
    return decodeURI(url) !== ''
  } catch {
    return false
  }
}

/** Accepts JSON only: a second parser would be a way around the validation. */
function readJsonOnly(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    // Clients may send a JSON content type without a body, as with DELETE or POST /api/planner.
    body === '' ? done(null) : parseJson(request, String(body), done),
  )
}
