import { describe, expect, it } from 'vitest'
import { lowerBound } from '../src/bounds/lower-bound.ts'
import { randomFrom } from '../src/local-search/random.ts'
import type { Priority, Problem, Task } from '../src/model.ts'
import { costOf } from '../src/objective/cost.ts'
import { compile, type Compiled } from '../src/problem/compile.ts'
import { plan } from '../src/solve/plan.ts'
import { aBlock, aProblem, at, aTask } from './problem.ts'

const boundOf = (tasks: Task[], given: Partial<Problem> = {}) =>
  lowerBound(compile(aProblem({ tasks, ...given })))

describe('simple cases', () => {
  it('no lateness is unavoidable in an empty week', () => {
    expect(boundOf([aTask('a', { dueAt: at('2026-01-05T17:00Z') })])).toEqual({
      lateness: 0,
      leftOver: 0,
    })
  })

  it('an overdue task is late until it can be done', () => {
    const { lateness } = boundOf([aTask('a', { dueAt: at('2026-01-05T07:00Z'), priority: 'high' })])

    expect(lateness).toBe(8 * (1440 + 180)) // due at 7, done at 10
  })

  it('of two tasks for one hour, the less important one is late', () => {
    const hour = { dueAt: at('2026-01-05T10:00Z'), autoSplit: false }

    const { lateness } = boundOf([aTask('a', { ...hour, priority: 'urgent' }), aTask('b', hour)])

    expect(lateness).toBe(1440 + 60)
  })

  it('a task waits for the work of another', () => {
    const tasks = [aTask('a'), aTask('b', { dueAt: at('2026-01-05T10:30Z') })]

    const { lateness } = boundOf(tasks, { dependencies: [{ taskId: 'b', dependsOnTaskId: 'a' }] })

    expect(lateness).toBe(1440 + 30)
  })

  it('work that does not fit is left over, the least important first', () => {
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]
    const tasks = [
      aTask('a', { windows, priority: 'high', estimateMinutes: 90 }),
      aTask('b', { windows, priority: 'low', estimateMinutes: 90 }),
    ]

    expect(boundOf(tasks).leftOver).toBe(2 * 60)
  })

  it('a kept block can make its task late', () => {
    const tasks = [aTask('a', { dueAt: at('2026-01-05T10:00Z') })]
    const blocks = [
      aBlock('x', 'a', '2026-01-05T11:00Z', '2026-01-05T12:00Z', { source: 'manual' }),
    ]

    expect(boundOf(tasks, { blocks }).lateness).toBe(1440 + 120)
  })

  it('lateness from a kept block does not hide other lateness', () => {
    const hour = { dueAt: at('2026-01-05T10:00Z'), autoSplit: false }
    const tasks = [aTask('a', { ...hour, priority: 'urgent' }), aTask('b', hour), aTask('c', hour)]
    const blocks = [
      aBlock('x', 'a', '2026-01-05T11:00Z', '2026-01-05T12:00Z', { source: 'manual' }),
    ]

    const made = plan(aProblem({ tasks, blocks }))

    expect(made.bound.lateness).toBe(16 * (1440 + 120) + 1440 + 60)
  })

  it('a piece that fits nowhere is left over whole, and so is a task that waits for it', () => {
    const tasks = [
      aTask('a', { autoSplit: false, estimateMinutes: 481, priority: 'low' }),
      aTask('b', { estimateMinutes: 10 }),
    ]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(boundOf(tasks, { dependencies }).leftOver).toBe(2 * 481 + 10)
  })
})

describe('no plan is below the bound', () => {
  it('among all plans of tiny problems', { timeout: 60_000 }, () => {
    let exact = 0
    for (let seed = 1; seed <= 150; seed++) {
      const compiled = compile(tinyProblem(seed))
      const best = bestOfAll(compiled)
      const { lateness, leftOver } = lowerBound(compiled)

      expect(lateness, `lateness, seed ${seed}`).toBeLessThanOrEqual(best.lateness)
      expect(leftOver, `left over, seed ${seed}`).toBeLessThanOrEqual(best.leftOver)
      if (lateness === best.lateness) exact++
    }
    // The bound is as tight as when this test was written.
    expect(exact).toBeGreaterThanOrEqual(112)
  })

  it('among all plans of tiny chains', { timeout: 60_000 }, () => {
    let exact = 0
    for (let seed = 1; seed <= 150; seed++) {
      const problem = tinyProblem(seed)
      const compiled = compile({
        ...problem,
        dependencies: [
          { taskId: 'a', dependsOnTaskId: 'b' },
          { taskId: seed % 2 ? 'b' : 'a', dependsOnTaskId: 'c' },
        ],
      })
      const best = bestOfAll(compiled)
      const { lateness } = lowerBound(compiled)

      expect(lateness, `seed ${seed}`).toBeLessThanOrEqual(best.lateness)
      if (lateness === best.lateness) exact++
    }
    expect(exact).toBeGreaterThanOrEqual(100)
  })
})

/** Three tasks, and eight half hours on two Mondays. */
function tinyProblem(seed: number): Problem {
  const random = randomFrom(seed)
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const priorities: Priority[] = ['none', 'low', 'medium', 'high', 'urgent']
  const sets = [
    [{ day: [1], start: '09:00', end: '11:00' }],
    [{ day: [1], start: '09:30', end: '10:30' }],
  ]
  const halfHours = (from: number, to: number) =>
    at('2026-01-05T09:00Z') + whole(from, to) * 1_800_000 + whole(0, 1) * 7 * 86_400_000
  const tasks = ['a', 'b', 'c'].map((id) =>
    aTask(id, {
      priority: priorities[whole(0, 4)],
      estimateMinutes: 30 * whole(1, 4),
      autoSplit: random() < 0.7,
      minSessionMinutes: 30,
      maxSessionMinutes: 120,
      cooldownMinutes: random() < 0.3 ? 30 : 0,
      dueAt: random() < 0.85 ? halfHours(-1, 4) : null,
      startAfter: random() < 0.2 ? halfHours(0, 3) : null,
      windows: sets[random() < 0.75 ? 0 : 1],
    }),
  )
  const dependencies = random() < 0.3 ? [{ taskId: 'a', dependsOnTaskId: 'b' }] : []
  return aProblem({ tasks, dependencies })
}

/** Tries every assignment of half hours to tasks, and keeps the least of each cost. */
function bestOfAll(compiled: Compiled) {
  const slots = [0, 7 * 1440].flatMap((day) => [60, 90, 120, 150].map((start) => day + start))
  const best = { lateness: Infinity, leftOver: Infinity }
  const fits = compiled.tasks.map((_, j) => {
    const { free } = compiled.classes[compiled.classOf[j]!]!
    return slots.map(
      (start) =>
        start >= compiled.release[j]! &&
        free.some((_, i) => i % 2 === 0 && free[i]! <= start && start + 30 <= free[i + 1]!),
    )
  })
  const sessions = compiled.tasks.map((): number[] => [])
  const placed = compiled.tasks.map(() => 0)
  const assign = (slot: number) => {
    if (slot === slots.length) {
      if (!compiled.tasks.every((_, j) => isLegal(compiled, sessions, placed, j))) return
      const { lateness, leftOver } = costOf(compiled, sessions)
      best.lateness = Math.min(best.lateness, lateness)
      best.leftOver = Math.min(best.leftOver, leftOver)
      return
    }
    assign(slot + 1)
    for (let j = 0; j < sessions.length; j++) {
      if (!fits[j]![slot] || placed[j]! >= compiled.need[j]!) continue
      const own = sessions[j]!
      const start = slots[slot]!
      const joins = own.at(-1) === start
      if (joins) own[own.length - 1] = start + 30
      else own.push(start, start + 30)
      placed[j]! += 30
      assign(slot + 1)
      placed[j]! -= 30
      if (joins) own[own.length - 1] = start
      else own.length -= 2
    }
  }
  assign(0)
  return best
}

function isLegal(compiled: Compiled, sessions: number[][], placed: number[], j: number) {
  const own = sessions[j]!
  if (!own.length) return true
  if (!compiled.split[j] && (own.length > 2 || placed[j] !== compiled.need[j])) return false
  for (let i = 2; i < own.length; i += 2) {
    if (own[i]! - own[i - 1]! < compiled.cooldown[j]!) return false
  }
  return [...compiled.predecessors[j]!].every(
    (i) => placed[i] === compiled.need[i] && sessions[i]!.at(-1)! <= own[0]!,
  )
}
