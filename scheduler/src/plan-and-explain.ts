import { explainOutcome } from './annotate.ts'
import { bound } from './bound.ts'
import type { Plan, Problem } from './model.ts'
import { plan } from './plan.ts'

/** The plan, with the reasons for it and what no plan can go below. */
export const planAndExplain = (problem: Problem): Plan =>
  plan(problem, { explain: explainOutcome, bound })
