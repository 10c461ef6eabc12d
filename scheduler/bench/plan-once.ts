// The planner for tests: the same problem is solved once. That a problem always has the same plan is
// tested in ../test/explain.test.ts.
import { plan } from '../src/index.ts'
import type { Plan, Problem } from '../src/model.ts'

const made = new Map<string, Plan>()

export const planOnce = (problem: Problem): Plan => {
  const key = JSON.stringify(problem)
  const known = made.get(key) ?? plan(problem)
  made.set(key, known)
  return known
}
