import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { embeddedPostgres } from './embedded-postgres.ts'
import { keepRunning } from './keep-running.ts'

async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'daywright-test-'))
  chmodSync(folder, 0o755)
  const server = embeddedPostgres(folder)
  onTestFinished(async () => {
    await server.stop()
    await rm(folder, { recursive: true, maxRetries: 20 })
  })
  await server.start()
  const lines: string[] = []
  const log = {
    info: (text: string) => void lines.push(text),
    error: (text: unknown) => void lines.push(String(text)),
  }
  const kill = () =>
    process.kill(
      Number.parseInt(readFileSync(join(folder, 'database/postmaster.pid'), 'utf8'), 10),
      'SIGKILL',
    )
  return { folder, server, log, lines, kill }
}

async function answers(url: string) {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.end()
}

describe('a killed server', { timeout: 60_000 }, () => {
  it('is restarted each time', async () => {
    const { server, log, lines, kill } = await startServer()
    const failures: Error[] = []
    keepRunning(server, { log, giveUp: (error) => failures.push(error) })

    for (const times of [1, 2]) {
      kill()
      await vi.waitFor(() => expect(lines).toHaveLength(2 * times), { timeout: 20_000 })
      await answers(server.url)
    }

    expect(lines).toEqual([
      'The bundled PostgreSQL stopped unexpectedly. Restarting it',
      'The bundled PostgreSQL is running again',
      'The bundled PostgreSQL stopped unexpectedly. Restarting it',
      'The bundled PostgreSQL is running again',
    ])
    expect(failures).toEqual([])
  })

  it('that cannot be restarted is given up after some attempts, with the reason', async () => {
    const { folder, server, log, lines, kill } = await startServer()
    const { promise: givenUp, resolve } = Promise.withResolvers<Error>()
    keepRunning(server, { log, giveUp: resolve, pauses: [0, 10, 20] })
    writeFileSync(join(folder, 'database/postgresql.auto.conf'), 'max_connections = many\n')

    kill()

    expect((await givenUp).message).toMatch(/did not start.*postgresql\.auto\.conf/s)
    expect(lines).toEqual(['The bundled PostgreSQL stopped unexpectedly. Restarting it'])
  })

  it('is not restarted once the service stops', async () => {
    const { server, log, lines, kill } = await startServer()
    const keeper = keepRunning(server, { log, giveUp: () => {}, pauses: [0] })

    keeper.stop()
    kill()
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 20_000 })

    await expect(answers(server.url)).rejects.toThrow(/ECONNREFUSED|ENOENT|terminated/)
  })
})
