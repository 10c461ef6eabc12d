import Fastify from 'fastify'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { unavailable } from '../errors.ts'
import { logOutages } from './log-outages.ts'

describe('logOutages', () => {
  it('logs one line a minute during a database outage, without a stack, and leaves other lines alone', () => {
    const lines: Record<string, unknown>[] = []
    let time = 0
    const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const hooks = { logMethod: logOutages(() => time) }
    const { log } = Fastify({ logger: { stream, hooks } })
    const away = () =>
      Object.assign(unavailable(), { cause: new Error('connect ECONNREFUSED 127.0.0.1:5432') })

    for (; time < 150_000; time += 250) log.error(away())
    log.child({ requestId: 'one' }).warn({ err: away() }, 'Service unavailable')
    log.error('Error with notify listener (trying again in 9ms): the database is starting up')
    log.error(new Error('connect ECONNREFUSED /run/.s.PGSQL.5432'))
    log.error(new Error('A bug'))
    log.info('Ready')

    expect(lines.map(({ msg, failures }) => [msg, failures])).toEqual([
      ['The database is unreachable: connect ECONNREFUSED 127.0.0.1:5432', 1],
      ['The database is unreachable: connect ECONNREFUSED 127.0.0.1:5432', 240],
      ['The database is unreachable: connect ECONNREFUSED 127.0.0.1:5432', 240],
      ['A bug', undefined],
      ['Ready', undefined],
    ])
    expect(JSON.stringify(lines.slice(0, 3))).not.toContain('    at ')
  })

  it('says that the database cannot be written to', () => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(JSON.parse(line).msg) }
    const { log } = Fastify({ logger: { stream, hooks: { logMethod: logOutages(() => 0) } } })
    const message = 'cannot execute UPDATE in a read-only transaction'

    log.error(Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: '25006' }))

    expect(lines).toEqual([`The database cannot be written to: ${message}`])
  })
})
