// Measures what functions cost that take bytes of others. A program of its own, so that faults can be planted in what
// it measures. Arguments: the group of functions, the seed, the bytes of an input, and how many random inputs each
// function gets. Writes a line of JSON for each function.
import { randomFrom } from '../../kit/random.ts'
import { startCounting } from './count-steps.ts'
import { type Input, inputsOf, timesFor } from './inputs.ts'
import { isShort, judge, type Measured, mayGrowTooFast, type Size, stepsPerKb } from './judge.ts'
import type { Taker } from './taker.ts'
import { groups } from './takers.ts'

export type MeasuredTaker = {
  name: string
  inputs: number
  seconds: number
  /** The most steps per kB, and the input that needs them. */
  worst: { stepsPerKb: number; input: string }
  findings: string[]
}

const mostGrownBytes = 4_000_000

const [, , group = '', seed, bytes, randomInputs] = process.argv
const { takers } = await groups[group]!()
const random = randomFrom(Number(seed))
const costOf = startCounting()
for (const taker of takers) {
  process.stdout.write(`${JSON.stringify(await measureTaker(taker))}\n`)
}
process.exit(0)

async function measureTaker(taker: Taker): Promise<MeasuredTaker> {
  const began = performance.now()
  const inputs = inputsOf(taker.format, random.fork(), Number(randomInputs))
  const small = inputs.slice(0, 3).map((input) => input.write(10))
  for (const input of small) await costOf(() => taker.take(input)) // compiles
  const all: Measured[] = []
  for (const input of inputs) all.push(await measure(taker, input))
  const steps = ({ sizes }: Measured) => stepsPerKb(sizes.at(-1)!)
  const worst = all.reduce((most, each) => (steps(each) > steps(most) ? each : most))
  const findings = all.flatMap((each) => {
    const found = judge(each, taker.mostSteps)
    return found === undefined ? [] : [`${taker.name}, ${each.input}: ${found}`]
  })
  return {
    name: taker.name,
    inputs: inputs.length,
    seconds: (performance.now() - began) / 1000,
    worst: { stepsPerKb: steps(worst), input: worst.input },
    findings,
  }
}

/** With a token repeated often and four times as often; in between and more often if it may grow too fast. */
async function measure({ take, mostBytes }: Taker, input: Input): Promise<Measured> {
  const times = timesFor(input, Math.min(Number(bytes), mostBytes))
  async function sizeOf(count: number): Promise<Size> {
    const text = input.write(count)
    return { ...(await costOf(() => take(text))), bytes: Buffer.byteLength(text) }
  }
  const sizes = [await sizeOf(Math.ceil(times / 4)), await sizeOf(times)]
  if (!mayGrowTooFast(sizes[0]!, sizes[1]!)) return { input: input.name, sizes }
  sizes.splice(1, 0, await sizeOf(Math.ceil(times / 2)))
  for (let count = 2 * times; ; count *= 2) {
    const [before, last] = sizes.slice(-2) as [Size, Size]
    const isLargest = last.bytes * 2 > Math.min(mostBytes, mostGrownBytes)
    if (isLargest || !isShort(last) || !mayGrowTooFast(before, last)) break
    sizes.push(await sizeOf(count))
  }
  return { input: input.name, sizes }
}
