import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../../test/watched-process.ts', import.meta.url))

/** Runs a watched process to its end. */
async function run(what: string, during: (child: ChildProcess) => Promise<void> = async () => {}) {
  const child = spawn(process.execPath, [script, what])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output += String(chunk)))
  }
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  await once(child.stdout, 'data')
  await during(child)
  const [code, signal] = await ended
  return { end: signal ?? code, output }
}

describe('the watchdog', () => {
  it('ends a process whose main thread is blocked, and says why', async () => {
    const { end, output } = await run('block')

    expect(end).toBe('SIGKILL')
    expect(output).toContain('The process is ended, because its main thread has not run for')
  })

  it('ends a process that does not stop in time', async () => {
    const { end, output } = await run('hang')

    expect(end).toBe('SIGKILL')
    expect(output).toContain('because it did not stop in time')
  })

  it('leaves a process alone that runs, and does not keep it running', async () => {
    expect(await run('run')).toMatchObject({ end: 0, output: 'started\ndone\n' })
  })

  it('leaves a process alone that was suspended', async () => {
    const outcome = await run('run', async (child) => {
      child.kill('SIGSTOP')
      await sleep(2500)
      child.kill('SIGCONT')
    })

    expect(outcome).toMatchObject({ end: 0, output: 'started\ndone\n' })
  })
})
