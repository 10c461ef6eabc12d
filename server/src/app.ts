import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { adminRoutes } from './features/admin/admin.routes.ts'
import { jobRoutes } from './jobs/jobs.routes.ts'
import { apiKeyRoutes } from './features/api-keys/api-keys.routes.ts'
import { authRoutes } from './features/account/account.routes.ts'
import { createAuth } from './platform/auth/better-auth.ts'
import { cookieNames } from './platform/auth/cookies.ts'
import { ensureProfile } from './features/user/ensure-profile.ts'
import { createCredentialCache } from './platform/auth/credential-cache.ts'
import { encryptWith } from './platform/auth/encryption.ts'
import { instanceSecrets } from './platform/auth/secret.ts'
import { signUpRules } from './features/account/sign-up-rules.ts'
import {
  calendarRoutes,
  previewsAtOnce,
  slowPreviewMs,
} from './features/calendars/calendars.routes.ts'
import { connectedAccountRoutes } from './features/connected-accounts/connected-accounts.routes.ts'
import { configuredProviders } from './features/connected-accounts/providers.ts'
import { createSlowLimit } from './platform/outbound/limit-slow.ts'
import { type Reading, startReading } from './features/calendars/start-reading.ts'
import { changesRoutes } from './features/activity/changes.routes.ts'
import { checklistItemRoutes } from './features/checklist-items/checklist-items.routes.ts'
import { type Config, servesReference } from './config.ts'
import type { Database } from './platform/db/database.ts'
import { defaultScheduleRoutes } from './features/default-schedules/default-schedules.routes.ts'
import { documentRoutes } from './features/documents/documents.routes.ts'
import { planCalendarRoutes } from './features/plan-calendars/plan-calendars.routes.ts'
import { feedFileRoutes, feedRoutes } from './features/feeds/feeds.routes.ts'
import { badRequest, notFound } from './platform/errors.ts'
import { isTooDeep } from './platform/parse-json.ts'
import { eventsRoutes } from './features/activity/events.routes.ts'
import { openStreams } from './features/activity/streams.ts'
import { historyRoutes } from './features/activity/history.routes.ts'
import { admitRequests } from './platform/http/admission.ts'
import type { Lifecycle } from './platform/http/lifecycle.ts'
import { authenticate } from './platform/http/authenticate.ts'
import { checkHost, warnOfProxy } from './platform/http/check-host.ts'
import { answerHealth } from './platform/http/health.ts'
import { logRequests } from './platform/http/log-requests.ts'
import { methodNotAllowed } from './platform/http/method-not-allowed.ts'
import { type Metrics, publishMetrics } from './platform/http/metrics.ts'
import { publishOpenApi } from './platform/http/openapi.ts'
import { limitPerAddress, limitPerKey } from './platform/http/rate-limit.ts'
import { publishReference } from './platform/http/api-reference.ts'
import type { Routes } from './platform/http/routes.ts'
import { crossSiteRefusal } from './platform/http/same-site.ts'
import { logSecurity } from './platform/http/security-log.ts'
import { sendError } from './platform/http/send-error.ts'
import { createRunQueue } from './platform/http/run-queue.ts'
import { trackUnread } from './platform/http/unread-responses.ts'
import { refuseUnknown, serialize, validate } from './platform/http/validate.ts'
import { createWrappers, requireWrappers } from './platform/http/wrap-handler.ts'
import { labelRoutes } from './features/labels/labels.routes.ts'
import { notificationRoutes } from './features/notifications/notifications.routes.ts'
import { plannerRoutes } from './features/planner/planner.routes.ts'
import { type Advise, type Solve, solveInThreads } from './features/planner/solve.ts'
import { projectRoutes } from './features/projects/projects.routes.ts'
import { quickAddRoutes } from './features/quick-add/quick-add.routes.ts'
import { recurrenceRoutes } from './features/recurrences/recurrences.routes.ts'
import { schedulePreferenceRoutes } from './features/schedule-preferences/schedule-preferences.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { spaceRoutes } from './features/spaces/spaces.routes.ts'
import { taskLinkRoutes } from './features/tasks/task-links.routes.ts'
import { taskRoutes } from './features/tasks/tasks.routes.ts'
import { blockActionRoutes } from './features/time-blocks/block-actions.routes.ts'
import { timeBlockRoutes } from './features/time-blocks/time-blocks.routes.ts'
import { usageRoutes } from './features/usage/usage.routes.ts'
import { userRoutes } from './features/user/user.routes.ts'
import { serveWeb } from './platform/static-web/serve-web.ts'
import { getOutside } from './platform/outbound/http-get.ts'
import {
  type OutboundAddresses,
  outboundAddresses,
} from './platform/outbound/outbound-addresses.ts'
import { nameResolver } from './platform/outbound/resolve-name.ts'
import { webhookRoutes } from './features/webhooks/webhooks.routes.ts'
import { measureBacklog } from './jobs/backlog.ts'
import { type Queue, queueOn } from './jobs/queue.ts'

/** All slices of the API; a new slice must be added here. */
const slices: Routes[] = [
  taskRoutes,
  taskLinkRoutes,
  quickAddRoutes,
  recurrenceRoutes,
  checklistItemRoutes,
  projectRoutes,
  labelRoutes,
  spaceRoutes,
  documentRoutes,
  schedulePreferenceRoutes,
  defaultScheduleRoutes,
  timeBlockRoutes,
  blockActionRoutes,
  userRoutes,
  settingsRoutes,
  usageRoutes,
  notificationRoutes,
  changesRoutes,
  historyRoutes,
  apiKeyRoutes,
  feedRoutes,
  adminRoutes,
]

export type AppOptions = {
  db: Database
  /** The job queue; by default in the same database. */
  queue?: Queue
  now: () => Date
  /** Runs the planner in threads; by default in threads of its own. */
  solve?: Solve
  advise?: Advise
  /** Reads calendars; by default with readers of its own. */
  reading?: Reading
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
  warnOfProxy(app)
  checkHost(app, config.PUBLIC_URL)
  logSecurity(app, now)
  const unread = trackUnread({
    maxBytes: config.MAX_UNREAD_BYTES,
    patienceMs: config.READ_TIMEOUT_MS,
    bytesPerSecond: config.READ_BYTES_PER_SECOND,
  })
  const { inFlight, admitUser } = admitRequests(app, {
    lifecycle,
    unread,
    places: config.MAX_IN_FLIGHT,
    refuseNewest: db.refuseNewest,
  })
  const isLimited = config.RATE_LIMIT === 'on'
  if (isLimited) app.addHook('onRequest', limitPerAddress(config.RATE_LIMIT_PER_ADDRESS, now))
  app.addHook('onRequest', refuseUnknownPath)
  const metrics = publishMetrics(app, {
    db,
    inFlight,
    backlog: () => measureBacklog(db, queue),
    token: config.METRICS_TOKEN,
    listReaderUse: appOptions.reading?.listUse,
  })
  app.decorate('metrics', metrics)
  const names = cookieNames(config.PUBLIC_URL)
  await publishOpenApi(app, names)
  if (servesReference(config)) await publishReference(app)
  answerHealth(app, db, lifecycle, () => queue.countAlive())
  serveWeb(app)

  const secrets = instanceSecrets(db, config)
  const secret = secrets.current
  const signUp = signUpRules(db, config, secret)
  const callers = createCredentialCache(db, {
    secret,
    names,
    ensureProfile: (userId) => ensureProfile(db, userId, { claims: signUp.firstIsAdmin }),
  })
  const streams = openStreams(db, lifecycle, app.log)
  const runQueue = createRunQueue({
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
    await open.register(feedFileRoutes(config.PUBLIC_URL), dependencies)
    closeRest()
  })
  await app.register(async (api) => {
    api.addHook('onRoute', (route) => {
      route.config = { ...route.config, isUsers: true }
    })
    api.addHook('onRequest', authenticate({ ...dependencies, refuseCrossSite, unread }))
    api.addHook('onRequest', admitUser)
    if (isLimited) {
      const { RATE_LIMIT_PER_KEY, RATE_LIMIT_PER_USER } = config
      api.addHook('onRequest', limitPerKey(RATE_LIMIT_PER_KEY, RATE_LIMIT_PER_USER, now))
    }
    refuseUnknown(api)
    const seal = encryptWith(secrets)
    requireWrappers(api)
    const wrappers = createWrappers(now, seal, runQueue)
    api.addHook('onResponse', (request, _reply, done) => {
      if (request.method !== 'GET') streams.wake(request.userId)
      done()
    })
    const closeRest = methodNotAllowed(api)
    const outbound = outboundAddresses(config.WEBHOOK_PRIVATE_ADDRESSES, config.PUBLIC_URL)
    const threads = startThreads()
    const previewing = startPreviews(outbound)
    const providers = configuredProviders(config)
    const publicOrigin = config.PUBLIC_URL && new URL(config.PUBLIC_URL).origin
    const more = [
      plannerRoutes(appOptions.solve ?? threads.solve, appOptions.advise ?? threads.advise),
      eventsRoutes(streams, config.MAX_STREAMS),
      webhookRoutes(outbound, seal),
      calendarRoutes(outbound, seal, previewing, providers),
      planCalendarRoutes(outbound, seal),
      connectedAccountRoutes({ ...previewing, seal, providers }, publicOrigin),
      jobRoutes(queue),
    ]
    for (const slice of [...slices, ...more]) {
      await api.register(slice, { ...dependencies, ...wrappers })
    }
    closeRest()
  })
  return app

  function startThreads() {
    const threads = solveInThreads(config.PLANNER_THREADS)
    app.addHook('onClose', threads.stop)
    return threads
  }
  function startPreviews(outbound: OutboundAddresses) {
    const { get, request, close } = getOutside(outbound, nameResolver(now))
    const reading = appOptions.reading ?? startOwnReading()
    app.addHook('onClose', async () => close())
    const limitSlow = createSlowLimit({ most: previewsAtOnce / 4, afterMs: slowPreviewMs })
    return { get, request, reader: reading.reader, memory: reading.memory, limitSlow, now }
  }
  function startOwnReading() {
    const reading = startReading({ now, log: (fault) => app.log.error(fault) })
    app.addHook('onClose', async () => reading.stop())
    return reading
  }
}

/** The health and metrics endpoints of a separate worker process. */
export async function buildWorkerApp({
  db,
  queue,
  config,
  lifecycle,
  reading,
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
    backlog: () => measureBacklog(db, queue),
    token: config.METRICS_TOKEN,
    listReaderUse: reading?.listUse,
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
  // Programs name some type even for an empty body, as `curl -d ''` does.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['content-length'] === '0') delete headers['content-type']
    done()
  })
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    // Clients may send a JSON content type without a body, as with DELETE or POST /api/planner.
    if (text === '') return done(null)
    if (isTooDeep(text)) return done(badRequest('Invalid JSON'))
    void parseJson(request, text, done)
  })
}
