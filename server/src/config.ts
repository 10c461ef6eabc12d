import { isIP } from 'node:net'
import { z } from 'zod'

const wholeNumber = (fallback: number, min = 1) =>
  z.coerce.number().int().min(min).max(1_000_000_000).default(fallback)

const secret = z.string().min(32)

const seconds = (fallback: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/, 'must be numbers of seconds, separated by commas')
    .default(fallback)
    .transform((list) => list.split(',').map(Number))

// With an unencoded @, /, ? or # the rest of the password would become a host, path or fragment, which
// would be connected to and logged.
const isDatabaseUrl = (text: string) => {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false
  const { username, password, pathname, search, hash } = new URL(text)
  return (
    hash === '' && !`${pathname}${search}`.includes('@') && [username, password].every(isDecodable)
  )
}

const isDecodable = (text: string) => {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

const databaseUrl = z
  .string()
  .refine(
    isDatabaseUrl,
    'must be postgres://user:password@host:5432/database, with @ : / ? # % in the password ' +
      'percent-encoded, or the password left out and given in PGPASSWORD',
  )

/** Whether the URL has no path: the web app and its cookies need the root path of their host. */
const isOrigin = (text: string) => {
  if (!URL.canParse(text)) return true // already reported
  const { pathname, search, hash, username } = new URL(text)
  return `${search}${hash}${username}` === '' && pathname === '/'
}

const areNetworks = (list: string) =>
  list.split(',').every((network) => {
    const [address = '', bits = '0', ...more] = network.trim().split('/')
    const most = isIP(address) === 4 ? 32 : 128
    return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most && !more.length
  })

/** Every setting of the service; `docs/operate/configuration.md` explains each of them. */
export const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: databaseUrl.optional(),
  QUEUE_DATABASE_URL: databaseUrl.optional(),
  DAYWRIGHT_DATA: z.string().optional(),
  UNSAFE_DATABASE: z.enum(['refuse', 'allow']).default('refuse'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin, 'must have no path: Daywright is served at the root of its host')
    .optional(),
  AUTH_SECRET: secret.optional(),
  AUTH_SECRET_PREVIOUS: z
    .string()
    .transform((list) => list.split(','))
    .refine(
      (secrets) => secrets.every((each) => secret.safeParse(each).success),
      'must be secrets of at least 32 characters, separated by commas',
    )
    .optional(),
  SIGN_UP: z.enum(['open', 'closed']).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  METRICS_TOKEN: z.string().min(16).optional(),
  API_DOCS: z.enum(['on', 'off']).optional(),
  TRUST_PROXY: z.string().refine(areNetworks, 'must be addresses or networks').optional(),
  RATE_LIMIT: z.enum(['on', 'off']).default('on'),
  RATE_LIMIT_PER_KEY: wholeNumber(100),
  RATE_LIMIT_PER_USER: wholeNumber(200),
  RATE_LIMIT_PER_ADDRESS: wholeNumber(200),
  MAX_IN_FLIGHT: wholeNumber(200),
  MAX_UNREAD_BYTES: wholeNumber(67_108_864, 1_048_576),
  READ_TIMEOUT_MS: wholeNumber(20_000, 1000),
  READ_BYTES_PER_SECOND: wholeNumber(32_768),
  MAX_STREAMS: wholeNumber(10_000),
  POOL_SIZE: wholeNumber(10),
  POOL_QUEUE: wholeNumber(1000, 0),
  STATEMENT_TIMEOUT_MS: wholeNumber(5000, 100),
  REQUEST_TIMEOUT_MS: wholeNumber(10_000, 1000),
  MAX_TASKS: wholeNumber(50_000),
  MAX_PROJECTS: wholeNumber(5000),
  MAX_SPACES: wholeNumber(500),
  MAX_LABELS: wholeNumber(5000),
  MAX_DOCUMENTS: wholeNumber(10_000),
  MAX_CHECKLIST_ITEMS: wholeNumber(200_000),
  MAX_SCHEDULE_PREFERENCES: wholeNumber(500),
  MAX_TIME_BLOCKS: wholeNumber(100_000),
  MAX_DEPENDENCIES: wholeNumber(100_000),
  MAX_DOCUMENT_LINKS: wholeNumber(100_000),
  MAX_NOTIFICATIONS: wholeNumber(10_000),
  MAX_TEXT_MB: wholeNumber(100),
  MAX_HISTORY_MB: wholeNumber(500),
  MAX_ANSWER_MB: wholeNumber(250),
  PLANNER_THREADS: wholeNumber(2),
  MAX_WAITING_RUNS: wholeNumber(5000),
  MAX_WAITING_RUNS_PER_USER: wholeNumber(200, 100),
  WORKER_CONCURRENCY: wholeNumber(4),
  WORKER_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  WEBHOOK_CONCURRENCY: wholeNumber(20),
  CALENDAR_CONCURRENCY: wholeNumber(10),
  WEBHOOK_PRIVATE_ADDRESSES: z
    .string()
    .refine(
      (value) => value === 'refuse' || value === 'allow' || areNetworks(value),
      'must be refuse, allow, or addresses or networks',
    )
    .default('refuse'),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_URL: z.url({ protocol: /^https?$/ }).optional(),
  MICROSOFT_CLIENT_ID: z.string().min(1).optional(),
  MICROSOFT_CLIENT_SECRET: z.string().min(1).optional(),
  MICROSOFT_TENANT: z
    .string()
    .regex(/^[\w.-]+$/)
    .default('common'),
  MICROSOFT_URL: z.url({ protocol: /^https?$/ }).optional(),
  WEBHOOK_RETRY_SECONDS: seconds('1,5,30,300,1800,7200,18000,36000,50400,72000,86400'),
  DRAIN_DELAY_MS: wholeNumber(0, 0),
  STOP_TIMEOUT_MS: wholeNumber(25_000, 100),
})

export type Config = z.output<typeof Environment>

const megabyte = 1_000_000

/** The limits of each user. */
export const limitsOf = (config: Config) => ({
  tasks: config.MAX_TASKS,
  projects: config.MAX_PROJECTS,
  spaces: config.MAX_SPACES,
  labels: config.MAX_LABELS,
  documents: config.MAX_DOCUMENTS,
  checklistItems: config.MAX_CHECKLIST_ITEMS,
  schedulePreferences: config.MAX_SCHEDULE_PREFERENCES,
  timeBlocks: config.MAX_TIME_BLOCKS,
  dependencies: config.MAX_DEPENDENCIES,
  documentLinks: config.MAX_DOCUMENT_LINKS,
  notifications: config.MAX_NOTIFICATIONS,
  textBytes: config.MAX_TEXT_MB * megabyte,
  historyBytes: config.MAX_HISTORY_MB * megabyte,
  answerBytes: config.MAX_ANSWER_MB * megabyte,
})

/** Whether to serve /docs. It runs third-party scripts on the origin of the sessions, so with HTTPS it is opt-in. */
export const servesReference = ({ API_DOCS, PUBLIC_URL }: Config) =>
  API_DOCS === undefined ? !PUBLIC_URL?.startsWith('https:') : API_DOCS === 'on'

/** Reads the settings, once at the start of each program of `bin/`. Throws an error that names the invalid ones. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  // An empty value counts as unset: compose files and shells pass those.
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const { data, error } = Environment.safeParse(Object.fromEntries(given))
  if (data) return data
  const faults = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  throw new Error(`Invalid settings:\n${faults.join('\n')}`)
}
