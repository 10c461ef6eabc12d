// Random series through a year of random actions, different ones in each run. CI tries some;
// DAYWRIGHT_SERIES=10000 tries so many. The title states the seed: DAYWRIGHT_SEED repeats a run.
import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { randomFrom } from './random.ts'
import { Broken, live } from './world.ts'

const wanted = Number(process.env.DAYWRIGHT_SERIES ?? 50)
const seed = Number(process.env.DAYWRIGHT_SEED ?? randomInt(1, 1_000_000_000))
// With both changes of the clock, and a 29 February for half of them.
const starts = [new Date('2026-02-20T10:00:00Z'), new Date('2027-09-30T10:00:00Z')]

it(
  `${wanted} series from seed ${seed}: never a double, a gap, a heap or a resurrection`,
  { timeout: 3_600_000 },
  () => {
    const steps = { decisions: 0, made: 0, lapsed: 0 }
    const broken: string[] = []
    for (let i = 0; i < wanted && broken.length < 3; i += 1) {
      try {
        live(randomFrom(seed + i), starts[i % 2]!, 366, steps)
      } catch (error) {
        if (!(error instanceof Broken)) throw error
        broken.push(`seed ${seed + i}: ${error.message}`)
      }
    }
    if (wanted > 1000) console.log(`${wanted} series`, steps)
    expect(broken).toEqual([])
    // Otherwise the test would have seen nothing.
    expect(steps.decisions).toBeGreaterThan(wanted * 100)
    expect(steps.made).toBeGreaterThan(wanted * 10)
    expect(steps.lapsed).toBeGreaterThan(wanted)
  },
)
