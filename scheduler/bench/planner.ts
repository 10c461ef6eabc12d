// `npm run bench -- planner [--quick]`: quality, speed and stability of the planner, compared with
// other algorithms and with bounds that a solver proved (bounds.json).
import { solutionsByRules } from '../src/construction/initial-solutions.ts'
import { createSolverContext } from '../src/construction/solver-context.ts'
import { plan } from '../src/index.ts'
import { compile } from '../src/problem/compile.ts'
import { earliestDueFirst, fluid, priorityFirst } from './baselines.ts'
import { readBounds } from './bounds.ts'
import { CHANGES } from './changes.ts'
import { mean, median, percent, table, timed } from './figures.ts'
import { backlogs, type Instance, otherWeeks, range, smallWeeks, weeks } from './instances.ts'
import { type Measure, measure, type Planner } from './measure.ts'
import { steadiness } from './steadiness.ts'

/** The threads of a server are warm: each run is timed this many times, and the median counts. */
const REPEATS = 3

const quick = process.argv.includes('--quick')
const seeds = quick ? 1 : 3
const bounds = readBounds()
const planners: Planner[] = [
  { name: 'Daywright', plan },
  { name: 'earliest due first', plan: earliestDueFirst },
  { name: 'priority first', plan: priorityFirst },
  { name: 'FluidCalendar', plan: fluid },
]
let violations = 0

warmUp()
againstOptimum(smallWeeks([8, 12, 16], quick ? 1 : 2))
print(`CPU time: all threads of the process, per instance the median of ${REPEATS} runs`)
for (const size of [10, 50, 200]) againstBound(size, weeks(size, seeds))
if (!quick)
  for (const size of [50, 200]) againstBound(size, otherWeeks(size), ', not used for any setting')
againstBound(1000, backlogs(1000))
againstBound(5000, quick ? backlogs(5000).slice(0, 2) : backlogs(5000))
steady(quick ? weeks(50, 1) : [...weeks(50, 2), ...weeks(200, 1)])
print(`Rules broken: ${violations}`)
process.exitCode = violations > 0 ? 1 : 0

function print(text: string) {
  process.stdout.write(`${text}\n\n`)
}

function warmUp() {
  for (const { problem } of [...weeks(50, 1), ...weeks(200, 1).slice(0, 3)]) {
    for (const planner of planners) planner.plan(problem)
  }
}

function all(planner: Planner, instances: Instance[]): Measure[] {
  const measures = instances.map((instance) => measure(planner, instance, bounds, REPEATS))
  violations += measures.reduce((sum, one) => sum + one.violations, 0)
  return measures
}

function againstOptimum(instances: Instance[]) {
  const proven = instances.filter((one) => bounds[one.name]?.optimum !== undefined)
  print(
    `8 to 16 tasks against the optimum on a grid of half hours, proven for ${proven.length} of ${instances.length}`,
  )
  const missed: Measure[] = []
  const rows = planners.map((planner) => {
    const measures = all(planner, proven)
    if (planner === planners[0]) missed.push(...measures.filter((one) => one.overOptimum! > 0))
    const over = measures.map((one) => one.overOptimum!)
    const best = over.filter((share) => share <= 0).length
    const within = over.filter((share) => share <= 0.01).length
    return [
      planner.name,
      `${best}/${over.length}`,
      `${within}/${over.length}`,
      percent(mean(over)),
      percent(Math.max(...over)),
    ]
  })
  print(table([['', 'optimal', 'within 1 %', 'mean excess', 'worst'], ...rows]))
  const names = missed.map((one) => `${one.instance.name} ${percent(one.overOptimum!)}`)
  print(`missed by Daywright: ${names.join(', ') || 'none'}`)
}

function againstBound(size: number, instances: Instance[], what = '') {
  print(`${size} tasks against the bound, ${instances.length} instances${what}`)
  const measured = planners.map((planner) => ({ planner, measures: all(planner, instances) }))
  const rows = measured.map(({ planner, measures }) => {
    const over = measures.map((one) => one.excess)
    const times = measures.map((one) => one.ms)
    return [
      planner.name,
      percent(mean(over)),
      percent(median(over)),
      `${over.filter((share) => share <= 0.01).length}/${over.length}`,
      median(times).toFixed(1),
      Math.max(...times).toFixed(1),
    ]
  })
  const head = ['', 'mean excess', 'median', 'within 1 %', 'CPU ms median', 'most']
  print(table([head, ...rows]))

  const building = instances.map(({ problem }) =>
    median(
      range(REPEATS).map(
        () => timed(() => solutionsByRules(createSolverContext(compile(problem)))).ms,
      ),
    ),
  )
  print(`construction by rules alone: ${median(building).toFixed(1)} ms median`)
  const families = Map.groupBy(measured[0]!.measures, (one) => one.instance.family)
  const byFamily = [...families].map(
    ([family, measures]) => `${family} ${percent(mean(measures.map((one) => one.excess)))}`,
  )
  print(`mean excess of Daywright by family: ${byFamily.join(', ')}`)
}

function steady(instances: Instance[]) {
  print(
    `One thing changes: the share of the earlier blocks that move, ${instances.length} instances`,
  )
  const rows = CHANGES.map((change) => {
    const results = instances.map((instance) => steadiness(plan, instance, change))
    violations += results.reduce((sum, one) => sum + one.violations, 0)
    return [
      change.name,
      percent(mean(results.map((one) => one.moved))),
      percent(mean(results.map((one) => one.freshMoved))),
      percent(mean(results.map((one) => one.price))),
      median(results.map((one) => one.ms)).toFixed(1),
    ]
  })
  const head = ['', 'moves', 'a fresh plan', 'lateness against it', 'CPU ms median']
  print(table([head, ...rows]))
}
