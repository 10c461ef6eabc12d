// The share of the processors that the host of a virtual machine gave to others. Where it is large, a
// measured time says little about the service.
import { readFileSync } from 'node:fs'

/** Starts counting; the function that it returns gives the share since then, 0 where it is not known. */
export function countStolen() {
  const before = readTicks()
  return () => {
    const after = readTicks()
    const all = after.all - before.all
    return all > 0 ? (after.stolen - before.stolen) / all : 0
  }
}

/** The eighth number is what was stolen; the first ones add up to all. */
export function parseTicks(stat: string) {
  const [, ...ticks] = (stat.split('\n')[0] ?? '').split(/\s+/).map(Number)
  const all = ticks.slice(0, 8).reduce((sum, each) => sum + each, 0)
  return { all, stolen: ticks[7] ?? 0 }
}

function readTicks() {
  try {
    return parseTicks(readFileSync('/proc/stat', 'utf8'))
  } catch {
    return { all: 0, stolen: 0 }
  }
}
