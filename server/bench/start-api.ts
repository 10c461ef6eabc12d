import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The service as `npm start` runs it, but for the rate limits. */
export async function startApi(url: string) {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    ['--import', './server/bin/runtime.mjs', 'server/bin/api.ts'],
    {
      env: {
        ...process.env,
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
    if (ready?.ok) return { origin, stop }
    await sleep(100)
  }
  throw new Error('The API did not become ready')

  async function stop() {
    child.kill('SIGTERM')
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
