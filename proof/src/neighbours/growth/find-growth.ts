// Looks for functions whose work grows faster than the bytes of others that they take, or is too much for each byte.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Trial } from '../../kit/harness.ts'
import type { MeasuredTaker } from './measure.ts'
import { groups } from './takers.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const doses = {
  short: { bytes: 32 * 1024, randomInputs: 8 },
  long: { bytes: 256 * 1024, randomInputs: 300 },
}
const processes = 2

/** `only` is the group in which a planted fault must be found. */
export async function findGrowth({ seed, dose, mutant, signal }: Trial, only?: string) {
  const { bytes, randomInputs } = doses[mutant ? 'short' : dose]
  const measured: MeasuredTaker[] = []
  const queue = Object.keys(groups).filter((group) => only === undefined || group === only)
  await Promise.all(Array.from({ length: processes }, runQueue))
  const inputs = measured.reduce((sum, each) => sum + each.inputs, 0)
  return {
    findings: measured.flatMap(({ findings }) => findings),
    figures: [`growth: ${measured.length} functions, ${inputs} inputs of ${bytes / 1024} kB`],
  }

  async function runQueue() {
    for (let group = queue.shift(); group; group = queue.shift()) {
      measured.push(...(await measure(group)))
    }
  }

  async function measure(group: string) {
    const program = fileURLToPath(new URL('measure.ts', import.meta.url))
    const loaded = ['./server/bin/runtime.mjs']
    if (mutant?.patch) loaded.push('./proof/src/kit/plant.ts')
    const flags = loaded.flatMap((module) => ['--import', module])
    const child = spawn(
      process.execPath,
      [...flags, program, group, ...[seed, bytes, randomInputs].map(String)],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          PATH: process.env.PATH ?? '',
          ...(mutant?.patch && { DAYWRIGHT_PLANT: JSON.stringify([mutant.patch]) }),
        },
        signal,
      },
    )
    const ended = once(child, 'exit') as Promise<[number | null]>
    const [output, [code]] = await Promise.all([text(child.stdout), ended])
    if (code !== 0) throw new Error(`Measuring ${group} ended with ${code}`)
    const lines = output.trim().split('\n')
    return lines.map((line) => JSON.parse(line) as MeasuredTaker)
  }
}
