import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Environment, readConfig } from './config.ts'

describe('readConfig', () => {
  it('needs no setting at all', () => {
    expect(readConfig({})).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      UNSAFE_DATABASE: 'refuse',
      LOG_LEVEL: 'info',
      RATE_LIMIT: 'on',
      RATE_LIMIT_PER_KEY: 100,
      RATE_LIMIT_PER_USER: 200,
      RATE_LIMIT_PER_ADDRESS: 200,
      MAX_IN_FLIGHT: 200,
      MAX_UNREAD_BYTES: 67_108_864,
      READ_TIMEOUT_MS: 20_000,
      READ_BYTES_PER_SECOND: 32_768,
      MAX_STREAMS: 10_000,
      MAX_TASKS: 50_000,
      MAX_PROJECTS: 5_000,
      MAX_SPACES: 500,
      MAX_LABELS: 5_000,
      MAX_DOCUMENTS: 10_000,
      MAX_CHECKLIST_ITEMS: 200_000,
      MAX_SCHEDULE_PREFERENCES: 500,
      MAX_TIME_BLOCKS: 100_000,
      MAX_DEPENDENCIES: 100_000,
      MAX_DOCUMENT_LINKS: 100_000,
      MAX_NOTIFICATIONS: 10_000,
      MAX_TEXT_MB: 100,
      MAX_HISTORY_MB: 500,
      MAX_ANSWER_MB: 250,
      POOL_SIZE: 10,
      POOL_QUEUE: 1000,
      STATEMENT_TIMEOUT_MS: 5000,
      REQUEST_TIMEOUT_MS: 10_000,
      PLANNER_THREADS: 2,
      MAX_WAITING_RUNS: 5000,
      MAX_WAITING_RUNS_PER_USER: 200,
      WORKER_CONCURRENCY: 4,
      WEBHOOK_CONCURRENCY: 20,
      CALENDAR_CONCURRENCY: 10,
      MICROSOFT_TENANT: 'common',
      WEBHOOK_PRIVATE_ADDRESSES: 'refuse',
      WEBHOOK_RETRY_SECONDS: [1, 5, 30, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
      DRAIN_DELAY_MS: 0,
      STOP_TIMEOUT_MS: 25_000,
    })
  })

  it('parses each setting from text, and ignores other variables', () => {
    const given = { PORT: '8080', SIGN_UP: 'closed', POOL_QUEUE: '0', PATH: '/usr/bin' }

    const config = readConfig(given)

    expect(config).toMatchObject({ PORT: 8080, SIGN_UP: 'closed', POOL_QUEUE: 0 })
    expect(config).not.toHaveProperty('PATH')
  })

  it('treats an empty setting as absent', () => {
    const empty = Object.fromEntries(Object.keys(Environment.shape).map((name) => [name, '']))

    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  it('has every setting explained in docs/operate/configuration.md', () => {
    const page = readFileSync(
      new URL('../../docs/operate/configuration.md', import.meta.url),
      'utf8',
    )
    const explained = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)

    expect(explained).toEqual(Object.keys(Environment.shape))
  })

  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1.5'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['WEBHOOK_PRIVATE_ADDRESSES', 'home'],
    ['WEBHOOK_PRIVATE_ADDRESSES', 'allow,10.0.0.0/8'],
    ['DATABASE_URL', 'mysql://localhost/daywright'],
    ['DATABASE_URL', 'postgres://ada:p@ss/w#rd@127.0.0.1/daywright'],
    ['DATABASE_URL', 'postgres://ada:12/34@127.0.0.1/daywright'],
    ['DATABASE_URL', 'postgres://ada:12?34@127.0.0.1/daywright'],
    ['DATABASE_URL', 'postgres://ada:p%ss@127.0.0.1/daywright'],
    ['DATABASE_URL', 'postgres://ada:pa/ss@127.0.0.1/daywright'],
    ['QUEUE_DATABASE_URL', 'postgres://ada:p#ss@127.0.0.1/daywright'],
    ['PUBLIC_URL', 'https://example.com/planner'],
    ['PUBLIC_URL', 'https://example.com/?a=b'],
    ['PUBLIC_URL', 'daywright.example.com'],
    ['PUBLIC_URL', 'ftp://daywright.example.com'],
    ['AUTH_SECRET', 'x'.repeat(31)],
    ['AUTH_SECRET_PREVIOUS', `${'x'.repeat(32)},${'y'.repeat(31)}`],
    ['METRICS_TOKEN', 'x'.repeat(15)],
    ['UNSAFE_DATABASE', 'yes'],
    ['SIGN_UP', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['RATE_LIMIT', 'false'],
    ['RATE_LIMIT_PER_KEY', '0'],
    ['RATE_LIMIT_PER_ADDRESS', 'many'],
    ['MAX_IN_FLIGHT', '0'],
    ['POOL_SIZE', '0'],
    ['POOL_QUEUE', '-1'],
    ['STATEMENT_TIMEOUT_MS', '99'],
    ['REQUEST_TIMEOUT_MS', '999'],
    ['DRAIN_DELAY_MS', 'Infinity'],
  ])('refuses by name: %s of %o', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(
      new RegExp(`^Invalid settings:\n  ${name}: .+$`),
    )
  })

  it.each([
    ['DATABASE_URL', 'postgres://ada:p%40ss%2Fw%23rd@127.0.0.1:5432/daywright'],
    ['DATABASE_URL', 'postgresql://daywright@db/daywright'],
    ['DATABASE_URL', 'postgres:///daywright?host=/run/postgresql'],
    ['PUBLIC_URL', 'https://planner.example.com/'],
    ['PUBLIC_URL', 'http://127.0.0.1:3000'],
  ] as const)('accepts %s of %s', (name, value) => {
    expect(readConfig({ [name]: value })[name]).toBe(value)
  })

  it('does not print a DATABASE_URL that it refuses', () => {
    const read = () => readConfig({ DATABASE_URL: 'postgres://ada:p@s5w/planted#rd@127.0.0.1/x' })

    expect(read).toThrow('DATABASE_URL')
    for (const part of ['ada', 's5w', 'planted', '127']) expect(read).not.toThrow(part)
  })

  it('lists all invalid settings together, and prints no value: some are secret', () => {
    const wrong = { AUTH_SECRET: 'hunter2', METRICS_TOKEN: 'letmein', DATABASE_URL: 'me:pw@host' }

    const read = () => readConfig(wrong)

    for (const [name, value] of Object.entries(wrong)) {
      expect(read).toThrow(name)
      expect(read).not.toThrow(value)
    }
  })
})
