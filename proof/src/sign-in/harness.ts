// Attacks on sign-in: guessed passwords, account enumeration, revoked credentials, and secrets in the log. Against
// two real processes on one database.
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Result } from '../kit/harness.ts'
import { ending } from './ending.ts'
import { guessing } from './guessing.ts'
import { patches, startInstance } from './instance.ts'
import { logging } from './logging.ts'
import { timing } from './timing.ts'

const rounds = { short: 1, long: 5 }

export const harness: Harness = {
  name: 'sign-in',
  mostTogether: 1,
  mutants: faultsOf('sign-in'),
  patches,
  atOnce: 2,
  mutantsInShort: 2,
  async prove(trial) {
    const { dose, mutant } = trial
    const findings: string[] = []
    let figures: string[] = []
    const count = mutant ? 3 : rounds[dose]
    const isOver = () => trial.signal.aborted || (mutant !== undefined && findings.length > 0)
    for (let round = 0; round < count && !isOver(); round += 1) {
      const instance = await startInstance(trial)
      const checks: Record<string, () => Promise<Pick<Result, 'findings' | 'figures'>>> = {
        ending: () => ending(instance),
        timing: () => timing(instance, dose),
        logging: async () => ({ findings: await logging(instance) }),
        // Last: it uses up the limits of an address.
        guessing: async () => ({ findings: await guessing(instance) }),
      }
      // With a planted fault, only the check where it should show.
      const names = mutant?.control ? [mutant.control] : Object.keys(checks)
      try {
        const found: Pick<Result, 'figures'>[] = []
        for (const name of names) {
          const check = await checks[name]?.()
          if (!check) throw new Error(`There is no check ${name}`)
          findings.push(...check.findings)
          found.push(check)
        }
        figures = found.flatMap((check) => check.figures ?? [])
      } finally {
        await instance.leave()
      }
    }
    return { tried: `${rounds[dose]} × 4 attacks on 2 processes`, findings, figures }
  },
}
