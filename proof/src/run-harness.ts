import { type Harness, type Mutant, mutantPatienceMs, type Trial } from './kit/harness.ts'

export type Row = {
  name: string
  tried: string
  findings: string[]
  figures: string[]
  planted: number
  missed: string[]
  seconds: number
}

const longestMs = { short: 5 * 60_000, long: 40 * 60_000 }

/** The harness on the service as it is, and on each faulty one. */
export async function runHarness(
  harness: Harness,
  trial: Pick<Trial, 'dose' | 'seed' | 'postgres' | 'say'>,
): Promise<Row> {
  const began = performance.now()
  trial.say(`${harness.name}: the service as it is`)
  const signal = AbortSignal.timeout(longestMs[trial.dose])
  const clean = await harness.prove({ ...trial, signal }).catch((error: unknown) => ({
    tried: 'broke off',
    findings: [`${harness.name} itself failed: ${reason(error)}`],
    figures: [],
  }))
  for (const finding of clean.findings) trial.say(`  FOUND ${finding}`)
  const missed: string[] = []
  const queue = [...harness.mutants]
  await Promise.all(Array.from({ length: harness.atOnce ?? 1 }, lookForTheRest))
  const last = (await harness.leave?.()) ?? []
  return {
    name: harness.name,
    tried: clean.tried,
    findings: clean.findings,
    figures: [...(clean.figures ?? []), ...last],
    planted: harness.mutants.length,
    missed,
    seconds: (performance.now() - began) / 1000,
  }

  async function lookForTheRest() {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const [seen] = await lookFor(mutant)
      trial.say(seen ? `  caught ${mutant.name}: ${seen}` : `  MISSED ${mutant.name}`)
      if (!seen) missed.push(mutant.name)
    }
  }

  /** A harness that fails to run has not caught anything. */
  async function lookFor(mutant: Mutant) {
    const signal = AbortSignal.timeout(mutantPatienceMs)
    try {
      return (await harness.prove({ ...trial, dose: 'short', signal, mutant })).findings
    } catch (error) {
      trial.say(`  with ${mutant.name} planted, ${harness.name} itself failed: ${reason(error)}`)
      return []
    }
  }
}

const reason = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
