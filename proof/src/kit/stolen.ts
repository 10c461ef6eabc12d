// The share of processor time that the host of a virtual machine gave to other machines. If it is large, a
// measured time says little about the service.
import { readFileSync } from 'node:fs'

/** Starts counting; the returned function gives the share since then, or 0 if it is unknown. */
export function countStolen() {
  const before = readTicks()
  return () => {
    const after = readTicks()
    const all = after.all - before.all
    return all > 0 ? (after.stolen - before.stolen) / all : 0
  }
}

/** Starts counting; the returned function gives the milliseconds that were taken from each processor since then. */
export function countStolenMs() {
  const before = readStolenMs()
  return () => readStolenMs().map((ms, core) => ms - (before[core] ?? 0))
}

/** Samples the time taken from each processor, so that it can be queried for any later period. */
export function recordStolen() {
  const samples: Sample[] = []
  const sample = () =>
    void samples.push({
      at: performance.now(),
      ms: readStolenMs(),
    })
  sample()
  const timer = setInterval(sample, 20)
  return {
    between: (from: number, to: number) => {
      sample()
      return stolenBetween(samples, from, to)
    },
    stop: () => clearInterval(timer),
  }
}

type Sample = { at: number; ms: number[] }

/**
 * The time taken from the processor that lost the most, from the last sample before the period to the first one after
 * it.
 */
export function stolenBetween(samples: Sample[], from: number, to: number) {
  const first = samples.findLast(({ at }) => at <= from) ?? samples[0]
  const last = samples.find(({ at }) => at >= to) ?? samples.at(-1)
  const taken = (last?.ms ?? []).map((ms, core) => ms - (first?.ms[core] ?? 0))
  return Math.max(0, ...taken)
}

const msPerTick = 10

/** The time taken from each processor, from the lines `cpu0`, `cpu1` and so on. */
export const parseStolenMs = (stat: string) =>
  stat
    .split('\n')
    .filter((line) => /^cpu\d/.test(line))
    .map((line) => Number(line.split(/\s+/)[8] ?? 0) * msPerTick)

/** The eighth number is the stolen time; the first eight add up to the total. */
export function parseTicks(stat: string) {
  const [, ...ticks] = (stat.split('\n')[0] ?? '').split(/\s+/).map(Number)
  const all = ticks.slice(0, 8).reduce((sum, each) => sum + each, 0)
  return { all, stolen: ticks[7] ?? 0 }
}

const readTicks = () => parseTicks(readStat())
const readStolenMs = () => parseStolenMs(readStat())

function readStat() {
  try {
    return readFileSync('/proc/stat', 'utf8')
  } catch {
    return ''
  }
}
