// All texts about a finished plan: explanations of blocks, and reasons with their proofs.
import type { Compiled } from '../problem/compile.ts'
import { explainBlocks } from './explain-blocks.ts'
import { createExplanationContext, type PlacedBlock } from './explanation-context.ts'
import { withUsedDays } from './used-days.ts'
import { findProofs } from './infeasibility-proof.ts'
import { hasNoAlternative } from './no-alternative.ts'
import { createReasons } from './reasons.ts'

type FinishedPlan = {
  compiled: Compiled
  /** Per task number the pairs of its new sessions. */
  sessions: readonly ArrayLike<number>[]
  /** The same sessions, all together in order of time. */
  blocks: readonly PlacedBlock[]
  report: { atRisk: number[]; unscheduled: { task: number }[] }
}

/** The texts for each block and each reported task, in the order of the lists. */
export function explainPlan({ compiled, sessions, blocks, report }: FinishedPlan) {
  const context = createExplanationContext(withUsedDays(compiled, sessions), sessions, blocks)
  const left = report.unscheduled.map(({ task }) => task)
  const noAlternative = hasNoAlternative(context)
  const explanations = explainBlocks(context, noAlternative)
  const reasons = createReasons(context, findProofs(context, report.atRisk, left))
  return {
    blocks: explanations.map((explanation, i) => ({ defended: noAlternative[i]!, explanation })),
    atRisk: report.atRisk.map(reasons.lateReason),
    unscheduled: left.map(reasons.leftReason),
  }
}
