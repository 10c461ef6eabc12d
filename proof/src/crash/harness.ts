// Kills the service, one of its backends or the whole PostgreSQL repeatedly, while sixteen writers write; after
// each kill every acknowledged write must be there exactly once.
import type { Harness } from '../kit/harness.ts'
import { randomFrom } from '../kit/random.ts'
import { mutants } from './mutants.ts'
import { newWorld, type World } from './world.ts'

const doses = { short: 20, long: 1000 }
/** After each kill all acknowledged writes of a world are checked, which takes longer as it ages. */
const killsOfAWorld = 50

export const harness: Harness = {
  name: 'crash',
  mutants,
  atOnce: 2,
  mutantsInShort: 1,
  async prove(trial) {
    const { dose, seed, mutant, signal } = trial
    const aimed = mutants.find((one) => one === mutant)
    const random = randomFrom(seed)
    const kills = doses[dose]
    const began = performance.now()
    const worlds: World[] = []
    const findings = () => worlds.flatMap((world) => world.findings)
    let done = 0
    const isOn = () => done < kills && findings().length === 0 && !signal.aborted

    async function live() {
      while (isOn()) {
        const own = random.fork()
        const world = await newWorld({ ...aimed, random: own, signal, ...(mutant && { mutant }) })
        worlds.push(world)
        try {
          for (let round = 0; round < killsOfAWorld && isOn(); round += 1) {
            await world.round((done += 1))
            if (done % 50 === 0) trial.say(`  ${done} kills`)
          }
        } finally {
          await world.leave()
        }
      }
    }

    // Much of a kill is waiting for restarts, so two worlds run concurrently, each with all its writers.
    await Promise.all(mutant ? [live()] : [live(), live()])
    const isShort = !mutant && done < kills && findings().length === 0
    const total = (key: 'acknowledged' | 'replayed' | 'runs') =>
      worlds.reduce((sum, world) => sum + world.count()[key], 0)
    const seconds = (performance.now() - began) / 1000 / done
    return {
      tried: `${done} kills`,
      findings: [
        ...findings().map((finding) => `${finding} (--seed ${seed})`),
        ...(isShort ? [`out of time after ${done} kills`] : []),
      ],
      figures: [
        `${total('acknowledged')} acknowledged writes, ${total('replayed')} of them replays, ` +
          `${total('runs')} planner runs, ${seconds.toFixed(1)} s a kill`,
      ],
    }
  },
}
