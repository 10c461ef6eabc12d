// Runs random series through a year of random actions, with a new seed in each run. The default is 50 series;
// DAYWRIGHT_SERIES=10000 tries 10,000. The title states the seed, and DAYWRIGHT_SEED repeats a run.
import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { randomFrom } from './random.ts'
import { Broken, live } from './world.ts'

const wanted = Number(process.env.DAYWRIGHT_SERIES ?? 50)
const seed = Number(process.env.DAYWRIGHT_SEED ?? randomInt(1, 1_000_000_000))
// Each year has both clock changes; the second one has a 29 February.
const starts = [new Date('2026-02-20T10:00:00Z'), new Date('2027-09-30T10:00:00Z')]

it(
  `${wanted} series from seed ${seed}: no occurrence is doubled, missing, piled up or made again`,
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
    // Guards against a run in which almost nothing happened.
    expect(steps.decisions).toBeGreaterThan(wanted * 100)
    expect(steps.made).toBeGreaterThan(wanted * 10)
    expect(steps.lapsed).toBeGreaterThan(wanted)
  },
)
