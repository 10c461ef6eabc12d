// Kills the service, one of its backends or the whole PostgreSQL, over and over, while sixteen
// writers write; after each kill everything that was acknowledged must be there, once.
import type { Harness } from '../kit/harness.ts'
import { randomFrom } from '../kit/random.ts'
import { mutants } from './mutants.ts'
import { newWorld } from './world.ts'

const doses = { short: 20, long: 1000 }

export const harness: Harness = {
  name: 'crash',
  mutants,
  atOnce: 2,
  async prove(trial) {
    const { dose, seed, mutant, signal } = trial
    const aimed = mutants.find((one) => one === mutant)
    const kills = doses[dose]
    const world = await newWorld({
      ...aimed,
      random: randomFrom(seed),
      signal,
      ...(mutant && { mutant }),
    })
    const began = performance.now()
    let done = 0
    try {
      while (done < kills && world.findings.length === 0 && !signal.aborted) {
        await world.round((done += 1))
        if (done % 50 === 0) trial.say(`  ${done} kills, ${JSON.stringify(world.count())}`)
      }
    } finally {
      await world.leave()
    }
    const { acknowledged, replayed, runs } = world.count()
    const seconds = (performance.now() - began) / 1000 / done
    return {
      tried: `${done} kills`,
      findings: [
        ...world.findings.map((finding) => `${finding} (--seed ${seed})`),
        ...(!mutant && done < kills && world.findings.length === 0
          ? [`out of time after ${done} kills`]
          : []),
      ],
      figures: [
        `${acknowledged} acknowledged writes, ${replayed} of them replays, ${runs} planner runs, ` +
          `${seconds.toFixed(1)} s a kill`,
      ],
    }
  },
}
