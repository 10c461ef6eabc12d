import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts the API as `npm run api` does, without rate limits and optionally with Node flags. */
export async function startApi(url: string, flags: string[] = [], settings: object = {}) {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    ['--import', './server/bin/runtime.mjs', ...flags, 'server/bin/api.ts'],
    {
      env: {
        ...process.env,
        ...settings,
        DATABASE_URL: url,
        PORT: String(port),
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  const origin = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries += 1) {
    const ready = await fetch(`${origin}/health/ready`).catch(() => undefined)
    if (ready?.ok) return { origin, pid: child.pid ?? 0, stop, kill: () => stop('SIGKILL') }
    await sleep(100)
  }
  throw new Error('The API did not become ready')

  async function stop(signal: NodeJS.Signals = 'SIGTERM') {
    child.kill(signal)
    await once(child, 'exit')
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
