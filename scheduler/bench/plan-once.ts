// A caching planner for tests, which solves each problem only once. That a problem always has the same
// plan is tested in ../test/explain.test.ts.
import { plan } from '../src/index.ts'
import type { Plan, Problem } from '../src/model.ts'

const made = new Map<string, Plan>()

export const planOnce = (problem: Problem): Plan => {
  const key = JSON.stringify(problem)
  const known = made.get(key) ?? plan(problem)
  made.set(key, known)
  return known
}
