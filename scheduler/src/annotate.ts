// All that a finished plan says of itself: explanations, reasons with their proofs, the bound.
import { alone } from './alone.ts'
import { bound } from './bound.ts'
import type { Compiled } from './compile.ts'
import { defended } from './defended.ts'
import { explain, lateReason, leftReason } from './explain.ts'
import type { Plan } from './model.ts'
import { outlook, type PlacedBlock } from './outlook.ts'
import { proofs } from './proof.ts'

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

/** Fills in explanation, defended, reasons, proofs and bound of a plan that has its blocks. */
export function annotate(compiled: Compiled, plan: Plan): Plan {
  const number = new Map(compiled.tasks.map((task, j) => [task.id, j]))
  const minute = (at: number) => (at - compiled.t0) / 60_000
  const create = plan.create.toSorted((a, b) => a.startAt - b.startAt)
  const blocks = create.map(({ taskId, startAt, endAt }) => ({
    task: number.get(taskId)!,
    start: minute(startAt),
    end: minute(endAt),
  }))
  const sessions = compiled.tasks.map((): number[] => [])
  for (const { task, start, end } of blocks) sessions[task]!.push(start, end)
  const words = explainOutcome({
    compiled,
    sessions,
    blocks,
    report: {
      atRisk: plan.atRisk.map(({ taskId }) => number.get(taskId)!),
      unscheduled: plan.unscheduled.map(({ taskId }) => ({ task: number.get(taskId)! })),
    },
  })
  return {
    ...plan,
    create: create.map((block, i) => ({ ...block, ...words.blocks[i]! })),
    atRisk: plan.atRisk.map((reason, i) => ({ ...reason, ...words.atRisk[i]! })),
    unscheduled: plan.unscheduled.map((reason, i) => ({ ...reason, ...words.unscheduled[i]! })),
    bound: bound(compiled, plan.cost.lateness, alone(compiled)),
  }
}
