// Computes bounds.json: `node scheduler/bench/make-bounds.ts [part of the names]`. Needs `highs`, and
// an hour for all instances. Stored bounds of unchanged instances are kept unless named, and then
// replaced only by better ones.
import { check } from '../src/checker/check.ts'
import { plan } from '../src/solve/plan.ts'
import { earliestDueFirst, priorityFirst } from './baselines.ts'
import { fingerprint, readBounds, type StoredBound, writeBounds } from './bounds.ts'
import { type BoundOptions, latenessBound } from './highs-bound.ts'
import { loadSolver } from './highs-model.ts'
import { optimum } from './highs-optimum.ts'
import { allInstances, type Instance, smallWeeks } from './instances.ts'
import { otherPeople, people } from './people.ts'

/** Only these lie on the grid of the exact solver. */
const small = new Set(smallWeeks().map(({ name }) => name))
/** Time limits for the integer program that decides what is late, and for the exact optimum. */
const SECONDS = { late: 40, exact: 25 }

const solver = await loadSolver()
const named = process.argv[2]
const bounds = readBounds()
const instances = [...allInstances(), ...people(), ...otherPeople()]
const current = new Set(instances.map((instance) => instance.name))
for (const name of Object.keys(bounds)) if (!current.has(name)) delete bounds[name]
for (const instance of instances) {
  const { name, problem } = instance
  const known = bounds[name]?.problem === fingerprint(problem)
  if (named === undefined ? known : !name.includes(named)) continue
  bounds[name] = compute(instance)
  process.stdout.write(`${name} ${JSON.stringify(bounds[name])}\n`)
  writeBounds(bounds)
}

/**
 * The ways to compute a bound, of which the best result counts. Integer programs take time, and so do
 * frequent comparisons of dependencies.
 */
function variants(size: number, dependent: boolean): BoundOptions[] {
  if (size > 200) return [{ stage: dependent ? 120 : 240 }]
  const whole = { seconds: SECONDS.late, ends: true }
  return dependent ? [{ stage: 15 }, { stage: 60, ...whole }] : [whole]
}

function compute({ name, size, problem }: Instance): StoredBound {
  const plans = [plan, earliestDueFirst, priorityFirst].map((make) => make(problem))
  const best = Math.min(...plans.map(({ cost }) => cost.lateness))
  let bound = Math.max(
    ...variants(size, problem.dependencies.length > 0).map(
      (options) => latenessBound(solver, problem, options).bound,
    ),
  )
  const known = bounds[name]
  if (known?.problem === fingerprint(problem)) bound = Math.max(bound, known.bound)
  let stored: StoredBound = { problem: fingerprint(problem), bound }
  if (small.has(name)) {
    const found = bound >= best ? undefined : optimum(solver, problem, best, SECONDS.exact)
    if (found) {
      const broken = check(problem, found.plan)
      if (broken.length > 0) throw new Error(`${name}: ${JSON.stringify(broken)}`)
    }
    if (bound >= best) stored = { ...stored, optimum: best }
    else if (found?.proven) stored = { ...stored, optimum: found.lateness }
    bound = Math.min(bound, stored.optimum ?? bound)
  }
  // A bound above an existing plan is wrong: fail instead of storing it.
  if (bound > best) throw new Error(`${name}: bound ${bound} above a plan with ${best}`)
  return stored
}
