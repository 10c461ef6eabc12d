// All that a finished plan says of itself: explanations, and reasons with their proofs.
import type { Compiled } from '../problem/compile.ts'
import { defended } from './no-alternative.ts'
import { explain, lateReason, leftReason } from './explain.ts'
import { outlook, type PlacedBlock } from './explanation-context.ts'
import { proofs } from './infeasibility-proof.ts'

type Placed = {
  compiled: Compiled
  /** Per task number the pairs of its new sessions. */
  sessions: readonly ArrayLike<number>[]
  /** The same sessions, all together in order of time. */
  blocks: readonly PlacedBlock[]
  report: { atRisk: number[]; unscheduled: { task: number }[] }
}

/** Says why of each block and each reported task, in the order of the lists. */
export function explainOutcome({ compiled, sessions, blocks, report }: Placed) {
  const view = outlook(compiled, sessions, blocks)
  const left = report.unscheduled.map(({ task }) => task)
  const proven = proofs(view, report.atRisk, left)
  const firm = defended(view)
  const words = explain(view)
  return {
    blocks: words.map((explanation, i) => ({ defended: firm[i]!, explanation })),
    atRisk: report.atRisk.map((j) => lateReason(view, j, proven)),
    unscheduled: left.map((j) => leftReason(view, j, proven)),
  }
}
