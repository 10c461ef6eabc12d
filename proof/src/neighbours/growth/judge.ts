// How much is too much.
import type { Cost } from './count-steps.ts'

/** The cost of an input of this many bytes. */
export type Size = Cost & { bytes: number }
/** What a function costs with a token repeated often, and more often. */
export type Measured = { input: string; sizes: Size[] }

/** Per doubling of the input. */
const mostGrowth = 2.5
/** Fewer steps are not judged by their growth. */
const fewSteps = 500_000
/** Times are not exact, so shorter ones are not judged; but a longer input may show more. */
const shortMs = 200
const noteworthyMs = 3
/** A file of 10 MB would take 50 s. */
const mostMsPerKb = 5

export const isShort = ({ cpuMs }: Size) => cpuMs <= shortMs

/** Whether a longer input should be tried. */
export const mayGrowTooFast = (from: Size, to: Size) =>
  (to.steps > fewSteps && growth(from, to, 'steps') > mostGrowth) ||
  (to.cpuMs > noteworthyMs && growth(from, to, 'cpuMs') > mostGrowth)

/** What is too much, in words; undefined if nothing is. */
export function judge({ sizes }: Measured, mostSteps: number): string | undefined {
  const last = sizes.at(-1)!
  const steps = stepsPerKb(last)
  if (steps > mostSteps) return `${steps} steps per kB, at most ${mostSteps} are allowed`
  const earlier = sizes.slice(-3, -1)
  const grows = (unit: keyof Cost) => earlier.every((size) => growth(size, last, unit) > mostGrowth)
  const words = (unit: keyof Cost) =>
    `${growth(earlier[0]!, last, unit).toFixed(1)} times as long for each doubling: ${describe(sizes)}`
  if (last.steps > fewSteps && grows('steps')) return words('steps')
  if (isShort(last)) return undefined
  if (grows('cpuMs')) return words('cpuMs')
  const ms = last.cpuMs / (last.bytes / 1024)
  return ms > mostMsPerKb ? `${ms.toFixed(1)} ms per kB` : undefined
}

export const stepsPerKb = ({ steps, bytes }: Size) => Math.round(steps / (bytes / 1024))

const growth = (from: Size, to: Size, unit: keyof Cost) =>
  2 ** (Math.log(to[unit] / Math.max(from[unit], 0.1)) / Math.log(to.bytes / from.bytes))

const describe = (sizes: Size[]) =>
  sizes
    .map(({ bytes, steps, cpuMs }) => `${bytes} bytes ${steps} steps ${cpuMs.toFixed(0)} ms`)
    .join(', ')
