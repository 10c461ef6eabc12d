// A reader: a process that works on untrusted bytes. It has a heap limit, and may neither write files, nor open
// connections, nor start processes. It gets tasks on its standard input, one at a time, and answers on its standard output.
import { setPriority } from 'node:os'
import { decodeFrames, encodeFrame } from './frames.ts'
import type { Answer, Request, Tasks } from './tasks.ts'

// Reading runs at a lower priority than serving.
setPriority(0, 10)

const [, , module = ''] = process.argv
const { tasks } = (await import(module)) as { tasks: Tasks }

function answer(value: Answer, parts: Uint8Array[] = []) {
  for (const bytes of encodeFrame({ value, parts })) process.stdout.write(bytes)
}

process.stdin.on(
  'data',
  decodeFrames(({ value, parts }) => {
    const { task, argument } = value as Request
    const before = process.cpuUsage()
    const cpuMs = () => {
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    try {
      const { value: result, parts: results = [] } = tasks[task]!(argument, parts)
      answer({ result, cpuMs: cpuMs() }, results)
    } catch (error) {
      answer({ fault: (error as Error).stack ?? String(error), cpuMs: cpuMs() })
    }
  }),
)
// The process that started it has ended.
process.stdin.on('end', () => process.exit())
