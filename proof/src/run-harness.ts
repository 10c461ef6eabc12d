import {
  type Harness,
  type Mutant,
  mutantPatienceMs,
  type Result,
  type Trial,
} from './kit/harness.ts'
import { randomFrom } from './kit/random.ts'
import { countStolen } from './kit/stolen.ts'

export type Row = {
  name: string
  tried: string
  findings: string[]
  figures: string[]
  planted: number
  /** How many faults there are in total. */
  of: number
  missed: string[]
  seconds: number
}

const longestMs = { short: 5 * 60_000, long: 40 * 60_000 }

/** Runs the harness on the service as it is, and with each planted fault. */
export async function runHarness(
  harness: Harness,
  trial: Pick<Trial, 'dose' | 'seed' | 'postgres' | 'say'> & { allMutants: boolean },
): Promise<Row> {
  const began = performance.now()
  const stolenSoFar = countStolen()
  trial.say('the service as it is')
  const signal = AbortSignal.timeout(longestMs[trial.dose])
  const clean = await prove()
  for (const finding of clean.findings) trial.say(`  FOUND ${finding}`)
  const missed: string[] = []
  const wanted = chooseMutants(harness, trial)
  const queue = [...wanted]
  await Promise.all(Array.from({ length: harness.atOnce ?? 1 }, runQueue))
  const last = (await harness.leave?.()) ?? []
  // Next to a measured time, this shows whether the machine or the service was slow.
  const stolen = stolenSoFar()
  if (stolen > 0.1)
    last.push(`the host took ${(stolen * 100).toFixed(0)} % of the processors meanwhile`)
  return {
    name: harness.name,
    tried: clean.tried,
    findings: clean.findings,
    figures: [...(clean.figures ?? []), ...last],
    planted: wanted.length,
    of: harness.mutants.length,
    missed,
    seconds: (performance.now() - began) / 1000,
  }

  // Runs only once: a defect that shows in half of the runs must make half of them fail.
  function prove(): Promise<Result> {
    return harness.prove({ ...trial, signal }).catch((error: unknown) => ({
      tried: 'broke off',
      findings: [`${harness.name} itself failed: ${reason(error)}`],
    }))
  }

  async function runQueue() {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const result = await lookFor(mutant)
      const [seen] = result.findings
      trial.say(
        seen
          ? `  caught ${mutant.name}: ${seen}`
          : `  MISSED ${mutant.name}: ${result.figures?.join('; ')}`,
      )
      if (!seen) missed.push(mutant.name)
    }
  }

  /** A harness that fails to run has not found the fault. */
  async function lookFor(mutant: Mutant): Promise<Pick<Result, 'findings' | 'figures'>> {
    const signal = AbortSignal.timeout(mutantPatienceMs)
    try {
      return await harness.prove({ ...trial, dose: 'short', signal, mutant })
    } catch (error) {
      trial.say(`  with ${mutant.name} planted, ${harness.name} itself failed: ${reason(error)}`)
      return { findings: [] }
    }
  }
}

/** The faults to plant. In the short dose, these may be only some of them, chosen by the seed. */
function chooseMutants(
  { mutants, mutantsInShort }: Harness,
  { dose, seed, allMutants }: Pick<Trial, 'dose' | 'seed'> & { allMutants: boolean },
) {
  if (dose === 'long' || allMutants || mutantsInShort === undefined) return mutants
  return randomFrom(seed).draw(mutants, mutantsInShort)
}

const reason = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
