// Makes PostgreSQL read-only three times, kills it once, and once makes the queue unable to record that a job has
// failed, while users with automatic planning make changes: the process stays, readiness tells, and nothing is lost.
import { faultsOf } from '../kit/faults.ts'
import type { Harness } from '../kit/harness.ts'
import { randomFrom } from '../kit/random.ts'
import { newWorld, type Outage } from './world.ts'

const outages: Outage[] = ['read-only', 'unrecorded', 'read-only', 'kill', 'read-only']
const rounds = { short: 1, long: 10 }

export const harness: Harness = {
  name: 'outages',
  mostTogether: 2,
  atOnce: 2,
  mutants: faultsOf('outages'),
  mutantsInShort: 1,
  async prove({ dose, seed, mutant, signal }) {
    const random = randomFrom(seed)
    const world = await newWorld({ random, signal, ...(mutant && { mutant }) })
    let count = 0
    try {
      for (let round = 0; round < (mutant ? 1 : rounds[dose]); round += 1) {
        for (const outage of outages) {
          if (signal.aborted || world.findings.length > 0) break
          await world.suffer(outage)
          count += 1
        }
      }
      await world.settle()
    } finally {
      await world.leave()
    }
    return {
      tried: `${count} outages`,
      findings: world.findings.map((finding) => `${finding} (--seed ${seed})`),
      figures: [world.figures()],
    }
  },
}
