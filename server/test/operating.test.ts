// Operating conditions: signals through npm, a database that is killed, a database that never answers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { describe, expect, it } from './it.ts'
import { environment, finish, newFolder, root, serve } from './programs.ts'

describe('npm start', { timeout: 120_000 }, () => {
  it.for(['start', 'api'])(
    'SIGTERM to `npm run %s` reaches the service',
    async (script, { url }) => {
      const npm = spawn('npm', ['run', script], {
        cwd: root,
        env: environment({ DATABASE_URL: url }),
      })
      onTestFinished(() => void npm.kill('SIGKILL'))
      let output = ''
      for (const stream of [npm.stdout, npm.stderr]) {
        stream.on('data', (chunk) => (output += String(chunk)))
      }
      await vi.waitFor(() => expect(output).toContain('"msg":"Ready"'), { timeout: 60_000 })
      const pid = Number(/"pid":(\d+)/.exec(output)?.[1])

      npm.kill('SIGTERM')
      await once(npm, 'exit')

      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), {
        timeout: 20_000,
      })
      expect(output).toContain('"msg":"Stopped"')
    },
  )

  it('every script that serves replaces its shell by Node', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

    for (const name of ['start', 'api', 'worker', 'dev']) {
      expect(manifest.scripts[name]).toMatch(/^exec node /)
    }
  })

  it('SIGTERM ends a hanging start within STOP_TIMEOUT_MS', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const service = serve({
      DATABASE_URL: `postgres://ada@127.0.0.1:${port}/daywright`,
      STOP_TIMEOUT_MS: '500',
    })
    await service.origin()

    service.child.kill('SIGTERM')

    expect(await service.exit).toEqual([1, null])
    expect(service.output()).toContain('Did not stop within 500 ms')
  })

  it('serves again after its PostgreSQL was killed, and does not flood the log', async () => {
    const settings = { DAYWRIGHT_DATA: await newFolder(), RATE_LIMIT: 'off' }
    const create = ['create', '--email', 'ada@example.com', '--create-database']
    const { stdout } = await finish(settings, 'account.ts', ...create)
    const service = serve(settings)
    const at = await service.ready()
    const lockFile = join(settings.DAYWRIGHT_DATA, 'database/postmaster.pid')
    const pid = Number.parseInt(await readFile(lockFile, 'utf8'), 10)
    const before = service.output().length

    process.kill(pid, 'SIGKILL')
    const headers = { authorization: `Bearer ${stdout.trim()}` }
    await vi.waitFor(
      async () => {
        expect(service.output()).toContain('The bundled PostgreSQL is running again')
        expect((await fetch(`${at}/api/user`, { headers })).status).toBe(200)
      },
      { timeout: 60_000, interval: 50 },
    )

    const logged = service.output().slice(before)
    expect(logged.match(/The database is unreachable/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(logged).not.toContain('    at ')
    service.child.kill('SIGTERM')
    expect(await service.exit).toEqual([0, null])
  })
})

describe('npm run worker', { timeout: 60_000 }, () => {
  it('answers an unknown path as the API does', async ({ url }) => {
    const worker = serve({ DATABASE_URL: url, WORKER_PORT: '0' }, 'worker.ts')

    const answer = await fetch(`${await worker.ready()}/nowhere`)

    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: 'Not found' })
  })
})
