// Checks the rules of a plan on random problems, with new seeds in each run. A failure prints its seed:
// `FIRST_SEED=4711 PROBLEMS=1 npm test -- properties` repeats it.
import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { check } from '../src/checker/check.ts'
import type { Plan, Problem } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { carriedOut, entries, keepsMoreNextTime } from './calendar.ts'
import { leftOverWithRoom } from './left-over.ts'
import { randomDemandingProblem, shuffled } from './random-problem.ts'

const PROBLEMS = Number(process.env['PROBLEMS'] ?? 250)
const FIRST = Number(process.env['FIRST_SEED'] ?? randomInt(1, 1_000_000))
const CHUNKS = 10
const chunks = Array.from({ length: CHUNKS }, (_, i) => ({
  from: FIRST + Math.floor((i * PROBLEMS) / CHUNKS),
  until: FIRST + Math.floor(((i + 1) * PROBLEMS) / CHUNKS),
}))

describe('any plan', () => {
  it.for(chunks)('is valid: seeds $from up to $until', { timeout: 120_000 }, ({ from, until }) => {
    const failures: string[] = []
    for (let seed = from; seed < until; seed++) {
      const problem = randomDemandingProblem(seed)
      const made = plan(problem)
      const broken = [
        ...check(problem, made).map(({ rule, detail }) => `${rule}: ${detail}`),
        ...leftOverWithRoom(problem, made),
        ...belowBound(made),
        ...(seed % 4 === 0 ? changedByARerun(problem, made) : []),
        ...(seed % 8 === 0 ? changedByOrder(problem, made, seed) : []),
      ]
      failures.push(...broken.map((text) => `seed ${seed}: ${text}`))
    }

    expect(failures).toEqual([])
  })
})

const belowBound = ({ cost, bound }: Plan): string[] =>
  bound.lateness > cost.lateness || bound.leftOver > cost.leftOver
    ? [`the bound ${JSON.stringify(bound)} is above the cost ${JSON.stringify(cost)}`]
    : []

const changedByARerun = (problem: Problem, made: Plan): string[] => {
  if (keepsMoreNextTime(problem, made)) return []
  const blocks = carriedOut(problem, made)
  // Until the next mark of five minutes the planner sees the same stretch of time.
  const mark = Math.ceil(problem.now / 300_000) * 300_000
  const first = Math.min(mark - 1, ...made.create.map((block) => block.startAt - 1))
  return [...new Set([problem.now, Math.max(problem.now, first)])].flatMap((now) => {
    const next = { ...problem, now, blocks }
    if (now > problem.now && becomesAnotherProblem(problem, now)) return []
    const again = plan(next)
    const same = entries(carriedOut(next, again)).join() === entries(blocks).join()
    return [
      ...(same ? [] : [`a re-run ${now - problem.now} ms later moves blocks`]),
      ...check(next, again).map(({ rule }) => `re-run: ${rule}`),
    ]
  })
}

/** Whether something in the problem itself began or fell due in the meantime. */
const becomesAnotherProblem = ({ now: before, blocks, tasks }: Problem, now: number) =>
  blocks.some((block) => block.startAt > before && block.startAt <= now) ||
  tasks.some((task) => task.dueAt !== null && task.dueAt >= before && task.dueAt <= now)

const changedByOrder = (problem: Problem, made: Plan, seed: number): string[] =>
  JSON.stringify(plan(shuffled(problem, seed))) === JSON.stringify(made)
    ? []
    : ['the order of the rows matters']
