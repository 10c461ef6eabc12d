import { describe, expect, it } from 'vitest'
import { type Facts, factsOf } from '../src/checker/facts.ts'
import type { Problem, Task } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { aBlock, aProblem, at, aTask } from './problem.ts'
import { randomProblem } from './random-problem.ts'

const explained = (problem: Problem) => plan(problem)

const lateProof = (tasks: Task[], id: string, given: Partial<Problem> = {}) =>
  explained(aProblem({ tasks, ...given })).atRisk.find(({ taskId }) => taskId === id)?.proof

const leftProof = (tasks: Task[], id: string, given: Partial<Problem> = {}) =>
  explained(aProblem({ tasks, ...given })).unscheduled.find(({ taskId }) => taskId === id)?.proof

const tuesday = at('2026-01-06T12:00Z')
const mondays = [{ day: [1], start: '09:00', end: '10:00' }]

describe('why a task must be late', () => {
  it('these tasks need more than is open', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    const tasks = ids.map((id) =>
      aTask(id, {
        estimateMinutes: 120,
        maxSessionMinutes: 120,
        dueAt: tuesday,
        priority: id === 'f' ? 'none' : 'high',
      }),
    )

    expect(lateProof(tasks, 'f')).toBe(
      'These 6 tasks need 12 h before Tue 12:00; 11 h are open: “Task f”, “Task a” and 4 more.',
    )
  })

  it('far too much matters as much or more', () => {
    const tasks = Array.from({ length: 200 }, (_, i) =>
      aTask(`t${String(i).padStart(3, '0')}`, { dueAt: tuesday, priority: i ? 'high' : 'low' }),
    )

    expect(lateProof(tasks, 't000')).toBe(
      'These 200 tasks need 200 h before Tue 12:00; 11 h are open: “Task t000”, “Task t001” and ' +
        '198 more. The others matter as much or more.',
    )
  })

  it('may start too late', () => {
    const startAfter = at('2026-01-06T10:00Z')

    expect(lateProof([aTask('a', { estimateMinutes: 180, startAfter, dueAt: tuesday })], 'a')).toBe(
      'It needs 3 h after Tue 10:00 (start after) but its windows have 2 h before Tue 12:00.',
    )
  })

  it('what it waits for cannot be done earlier', () => {
    const tasks = [
      aTask('a', { estimateMinutes: 600, maxSessionMinutes: 600 }),
      aTask('b', { dueAt: tuesday, estimateMinutes: 120, maxSessionMinutes: 120 }),
    ]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(lateProof(tasks, 'b', { dependencies })).toBe(
      'It waits for “Task a”, which cannot be done before Tue 11:00; it needs 2 h and 1 h ' +
        'is open before Tue 12:00.',
    )
  })

  it('is overdue', () => {
    expect(lateProof([aTask('a', { dueAt: at('2026-01-02T12:00Z') })], 'a')).toBe(
      'Its due date, Fri 2 Jan 12:00, is past.',
    )
  })

  it('a block of it stays', () => {
    const tasks = [aTask('a', { dueAt: tuesday })]
    const blocks = [
      aBlock('x', 'a', '2026-01-06T13:00Z', '2026-01-06T14:00Z', { source: 'manual' }),
    ]

    expect(lateProof(tasks, 'a', { blocks })).toBe(
      'A block of it that stays where it is ends Tue 14:00, after its due date.',
    )
  })
})

describe('why a task must be left over', () => {
  it.each<[string, Partial<Task>, string]>([
    ['no windows', { windows: [] }, 'Its windows are closed for the next 14 days.'],
    [
      'a piece too long',
      { autoSplit: false, estimateMinutes: 540 },
      'One piece of 9 h is needed and the longest open stretch in the next 14 days is 8 h.',
    ],
    [
      'too little time',
      { windows: mondays, estimateMinutes: 180 },
      'It needs 3 h but its windows have 2 h in the next 14 days.',
    ],
    [
      'a start beyond the horizon',
      { startAfter: at('2026-03-02T09:00Z') },
      'It may start only after Mon 2 Mar 09:00 (start after).',
    ],
  ])('%s', (_, given, proof) => {
    expect(leftProof([aTask('a', given)], 'a')).toBe(proof)
  })

  it('what it waits for has no room', () => {
    const tasks = [aTask('a', { windows: [] }), aTask('b')]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(leftProof(tasks, 'b', { dependencies })).toBe(
      'It waits for “Task a”, which has no room.',
    )
  })

  it('what it waits for is not planned', () => {
    const tasks = [aTask('a', { autoSchedule: false }), aTask('b')]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(leftProof(tasks, 'b', { dependencies })).toBe(
      'It waits for “Task a”, which is not planned.',
    )
  })
})

describe('proofs of random problems', () => {
  it('are true: both sides counted again, minute by minute', { timeout: 120_000 }, () => {
    let counted = 0
    for (let seed = 1; seed <= 400; seed++) {
      const problem = { ...randomProblem(seed), dependencies: [] }
      const made = explained(problem)
      const facts = factsOf(problem, made)
      const titles = new Map(problem.tasks.map((task) => [task.title, task.id]))
      const told = [
        ...made.atRisk.map(({ proof }) => ({ proof, late: true })),
        ...made.unscheduled.map(({ proof }) => ({ proof, late: false })),
      ]
      for (const { proof, late } of told) {
        const cut = proof?.match(CUT)
        if (!cut) continue
        const [, count, need, open, list, byCapacity] = cut
        expect(minutes(need!), `seed ${seed}: ${proof}`).toBeGreaterThan(minutes(open!))
        const names = [...list!.matchAll(/“(.*?)”/g)].map(([, title]) => titles.get(title!)!)
        if (names.length !== Number(count)) continue
        counted++
        const needs = names.map((id) => facts.tasks.get(id)!.need)
        expect(
          needs.reduce((a, b) => a + b),
          `seed ${seed}: ${proof}`,
        ).toBe(minutes(need!))
        // A capacity proof counts all open time before the last due date, usable to each task or not.
        const usable = openTo(facts, names, late)
        const spare = minutes(open!) - usable
        expect(byCapacity ? spare >= 0 : spare === 0, `seed ${seed}: ${proof}`).toBe(true)
      }
    }
    expect(counted).toBeGreaterThan(30)
  })
})

const CUT =
  /^These (\d+) tasks need (.+?) (?:before|in) .*; (.+?) (?:is|are) open: (.*?)\.( The others .*)?$/

function minutes(text: string) {
  if (text === 'nothing') return 0
  const [, hours = 0, rest = 0] = text.match(/^(?:(\d+) h)? ?(?:(\d+) min)?$/)!
  return Number(hours) * 60 + Number(rest)
}

/** Minutes that are open to at least one of the tasks, if `late` before its due date. */
function openTo({ problem, clock, tasks, kept, horizonEnd }: Facts, ids: string[], late: boolean) {
  const mark = 300_000
  const t0 = Math.ceil(problem.now / mark) * mark
  const end = Math.floor(horizonEnd / mark) * mark
  const ranges = ids.map((id) => {
    const { task } = tasks.get(id)!
    const windows = task.windows ?? [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]
    const until = late ? Math.min(task.dueAt!, end) : end
    return { openings: clock.openings(windows), from: task.startAfter ?? 0, until }
  })
  let open = 0
  for (let start = t0; start < end; start += 60_000) {
    const stop = start + 60_000
    if (kept.some((block) => block.startAt < stop && block.endAt > start)) continue
    const usable = ranges.some(
      ({ openings, from, until }) =>
        start >= from &&
        stop <= until &&
        openings.some(([opens, closes]) => opens <= start && stop <= closes),
    )
    if (usable) open++
  }
  return open
}
