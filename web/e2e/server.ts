// Starts the real service in a separate process, on a separate database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export async function startServer(databaseUrl: string, settings: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    ['--import', './server/bin/runtime.mjs', 'server/bin/start.ts'],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: join(tmpdir(), 'daywright-compile-cache'),
        HOST: '127.0.0.1',
        PORT: '0',
        UNSAFE_DATABASE: 'allow',
        RATE_LIMIT: 'off',
        PLANNER_THREADS: '1',
        WEBHOOK_PRIVATE_ADDRESSES: 'allow',
        DATABASE_URL: databaseUrl,
        ...settings,
      },
    },
  )
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown) => {
      output += String(chunk)
      const [, origin] = /Server listening at (http:\/\/[\d.:]+)/.exec(output) ?? []
      if (origin && output.includes('"Ready"')) resolve(origin)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`It does not start: ${output}`)))
  })
  return {
    origin: await ready,
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
