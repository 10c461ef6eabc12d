// The stored bounds: what the solver proved for each instance, so that measuring needs no solver.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Problem } from '../src/model.ts'
import type { Instance } from './instances.ts'

export type StoredBound = {
  /** A hash of the problem, to detect changes of the generator. */
  problem: string
  /** No plan has less lateness. */
  bound: number
  /** For small instances: the least lateness on a grid of half hours, if it was proven. */
  optimum?: number
}

const FILE = new URL('bounds.json', import.meta.url)

export const readBounds = (): Record<string, StoredBound> =>
  JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, StoredBound>

export const writeBounds = (bounds: Record<string, StoredBound>): void => {
  const lines = Object.entries(bounds).map(
    ([name, bound]) => `  ${JSON.stringify(name)}: ${formatObject(bound)}`,
  )
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`)
}

/** As the formatter writes a short object. */
const formatObject = (value: object) =>
  `{ ${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${JSON.stringify(one)}`)
    .join(', ')} }`

export const boundOf = (bounds: Record<string, StoredBound>, instance: Instance): StoredBound => {
  const stored = bounds[instance.name]
  if (stored?.problem !== fingerprint(instance.problem)) {
    throw new Error(
      `No bound for ${instance.name} as it is now: run scheduler/bench/make-bounds.ts`,
    )
  }
  return stored
}

export const fingerprint = (problem: Problem): string =>
  createHash('sha256').update(JSON.stringify(problem)).digest('hex').slice(0, 12)

/** The lateness above the bound, relative to it. The four days keep it small if almost nothing is late. */
export const excess = (lateness: number, bound: number): number =>
  (lateness - bound) / (bound + 4 * 1440)
