import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpuSeconds } from './cpu-seconds.ts'

/** Starts a worker as `npm run worker` does, with the settings in this process's environment. */
export async function startWorkerProcess(url: string) {
  const child = spawn(
    process.execPath,
    ['--import', './server/bin/runtime.mjs', 'server/bin/worker.ts'],
    {
      env: { ...process.env, DATABASE_URL: url, UNSAFE_DATABASE: 'allow' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('"Ready"') && resolve())
    child.once('exit', () => reject(new Error('The worker did not become ready')))
  })
  return {
    cpuSeconds: () => cpuSeconds(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
