import { on } from 'node:events'
import type { Server } from './server.ts'

/** Node flags for a server whose memory is measured. */
export const collecting = ['--expose-gc', '--import', './proof/src/kit/collect.ts']

/** The memory of a server after a garbage collection. */
export async function memoryOf({ child }: Server): Promise<NodeJS.MemoryUsage> {
  const patience = AbortSignal.timeout(10_000)
  const said = on(child.stdout, 'data', { signal: patience })
  child.kill('SIGUSR2')
  let text = ''
  for await (const [chunk] of said) {
    text += String(chunk)
    const [line] = /\{"collected":.*?\}\}\n/.exec(text) ?? []
    if (line) return (JSON.parse(line) as { collected: NodeJS.MemoryUsage }).collected
  }
  throw new Error('The server does not say what it holds')
}
