import { describe, expect, it } from 'vitest'
import { lagrangianOrder } from '../src/construction/lagrangian-order.ts'
import { createSolverContext } from '../src/construction/solver-context.ts'
import type { Problem } from '../src/model.ts'
import { compile } from '../src/problem/compile.ts'
import { aProblem, aTask } from './problem.ts'
import { randomDemandingProblem } from './random-problem.ts'

const orderOf = (problem: Problem, upperBound: number) => {
  const compiled = compile(problem)
  const { placer, taskBounds } = createSolverContext(compiled)
  return { compiled, ...lagrangianOrder(compiled, placer, taskBounds, upperBound) }
}

describe('the Lagrangian order', () => {
  it.each([0, Infinity])('has tasks after their predecessors, for upper bound %d', (upperBound) => {
    for (let seed = 1; seed <= 200; seed++) {
      const { compiled, order } = orderOf(randomDemandingProblem(seed), upperBound)
      const place = new Map(order.map((j, i) => [j, i]))

      expect(order.length).toBe(compiled.topological.filter((j) => compiled.need[j]! > 0).length)
      for (const j of order) {
        for (const i of compiled.predecessors[j]!) {
          expect(place.get(i) ?? -1).toBeLessThan(place.get(j)!)
        }
      }
    }
  })

  it('is the given order if nothing is late and no task waits for another', () => {
    const { order } = orderOf(aProblem({ tasks: [aTask('a'), aTask('b'), aTask('c')] }), 0)

    expect(order).toEqual([0, 1, 2])
  })
})
