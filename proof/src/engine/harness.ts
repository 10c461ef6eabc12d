// Kills a worker during a run repeatedly, while users make changes and a receiver fails; in the end every user
// is planned, one run at a time writes a user's plan, and no event is missed.
import { faultsOf } from '../kit/faults.ts'
import type { Harness } from '../kit/harness.ts'
import { randomFrom } from '../kit/random.ts'
import { patches } from './observe.ts'
import { newWorld } from './world.ts'

const doses = { short: 5, long: 50 }
const crowd = 40
const few = 24

export const harness: Harness = {
  name: 'engine',
  mostTogether: 1,
  mutants: faultsOf('engine'),
  patches,
  atOnce: 2,
  mutantsInShort: 1,
  async prove(trial) {
    const { dose, seed, postgres, mutant, signal } = trial
    const people = mutant ? few : crowd
    const random = randomFrom(seed)
    const kills = mutant ? 6 : doses[dose]
    const world = await newWorld({ postgres, people, random, signal, ...(mutant && { mutant }) })
    let done = 0
    try {
      while (done < kills && !world.isBroken() && !signal.aborted) {
        done += 1
        await world.round(done === kills)
        if (done % 10 === 0) trial.say(`  ${done} kills`)
      }
      const settledMs = await world.settle()
      const events = await world.judge()
      const { midRun, runs, changes, cutOff, longestWaitMs, attempts, accepted } = world.figures()
      const isShort = !mutant && done < kills
      return {
        tried: `${done} kills`,
        findings: [
          ...world.findings.map((finding) => `${finding} (--seed ${seed})`),
          ...(isShort ? [`out of time after ${done} kills`] : []),
        ],
        figures: [
          `${people} users, ${changes} changes, ${runs} runs, ${events} events; ${midRun} kills in ` +
            `mid-run cut off ${cutOff} jobs, resumed after ${(longestWaitMs / 1000).toFixed(1)} s ` +
            `at most; all done ${(settledMs / 1000).toFixed(1)} s after the last change`,
          `${attempts} webhook attempts, ${accepted} accepted`,
        ],
      }
    } finally {
      await world.leave()
    }
  },
}
