// Breaks the connection between the service and its database in several ways, under thirty writers: requests must get
// 503 in time, all must be served after recovery, and nothing may be lost or duplicated.
import { faultsOf } from '../kit/faults.ts'
import type { Harness } from '../kit/harness.ts'
import { randomFrom } from '../kit/random.ts'
import type { Mode } from './proxy.ts'
import { newWorld } from './world.ts'

/** How long each fault lasts: long enough for late answers to be noticed. */
const spells: [Mode, number][] = [
  ['slow', 1000],
  ['reset', 1000],
  ['silent', 2300],
  ['refuse', 1000],
  ['half-open', 2300],
  ['deaf', 1000],
]

const rounds = { short: 1, long: 20 }

export const harness: Harness = {
  name: 'faults',
  mutants: faultsOf('faults'),
  atOnce: 2,
  mostTogether: 2,
  mutantsInShort: 2,
  async prove({ dose, seed, mutant, signal, postgres }) {
    const shows = new RegExp(mutant?.shows ?? '')
    const random = randomFrom(seed)
    const world = await newWorld({ postgres, random, signal, ...(mutant && { mutant }) })
    const findings: string[] = []
    let count = 0
    let slowest = 0
    try {
      for (let round = 0; round < (mutant ? 9 : rounds[dose]); round += 1) {
        for (const [mode, ms] of spells) {
          if (mutant && mutant.control !== mode) continue
          if (signal.aborted || (mutant && findings.length > 0)) break
          const longer = dose === 'long' ? random.between(0, 1500) : 0
          const found = await world.suffer(mode, ms + longer)
          // Delays of a busy machine must not count as the planted fault.
          findings.push(...found.filter((finding) => shows.test(finding)))
          slowest = Math.max(slowest, world.slowest())
          count += 1
        }
      }
    } finally {
      await world.leave()
    }
    return {
      tried: `${count} faults`,
      findings: findings.map((finding) => `${finding} (--seed ${seed})`),
      figures: [
        `${world.acknowledged()} acknowledged writes, ${world.replayed()} of them replays, ` +
          `slowest answer ${Math.round(slowest)} ms`,
      ],
    }
  },
}
