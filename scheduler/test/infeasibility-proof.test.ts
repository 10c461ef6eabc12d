import { describe, expect, it } from 'vitest'
import { type Facts, factsOf } from '../src/checker/facts.ts'
import type { Problem, Task } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { aBlock, aProblem, at, aTask } from './problem.ts'
import { randomProblem } from './random-problem.ts'

const planOf = (problem: Problem) => plan(problem)

const lateProof = (tasks: Task[], id: string, given: Partial<Problem> = {}) =>
  planOf(aProblem({ tasks, ...given })).atRisk.find(({ taskId }) => taskId === id)?.proof

const leftProof = (tasks: Task[], id: string, given: Partial<Problem> = {}) =>
  planOf(aProblem({ tasks, ...given })).unscheduled.find(({ taskId }) => taskId === id)?.proof

const tuesday = at('2026-01-06T12:00Z')
const mondays = [{ day: [1], start: '09:00', end: '10:00' }]

describe('why a task must be late', () => {
  it('several tasks need more time than is open', () => {
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
      'Not everything fits before Tue 12:00: 6 tasks need 12 h, and there are 11 h. ' +
        '“Task f”, “Task a” and 4 more.',
    )
  })

  it('too much work matters as much or more', () => {
    const tasks = Array.from({ length: 200 }, (_, i) =>
      aTask(`t${String(i).padStart(3, '0')}`, { dueAt: tuesday, priority: i ? 'high' : 'low' }),
    )

    expect(lateProof(tasks, 't000')).toBe(
      'Not everything fits before Tue 12:00: 200 tasks need 200 h, and there are 11 h. ' +
        '“Task t000”, “Task t001” and 198 more. The others matter as much or more.',
    )
  })

  it('the task may start too late', () => {
    const startAfter = at('2026-01-06T10:00Z')

    expect(lateProof([aTask('a', { estimateMinutes: 180, startAfter, dueAt: tuesday })], 'a')).toBe(
      'You allow it from Tue 10:00. It needs 3 h before Tue 12:00, and your hours have 2 h.',
    )
  })

  it('the task that it waits for cannot be done earlier', () => {
    const tasks = [
      aTask('a', { estimateMinutes: 600, maxSessionMinutes: 600 }),
      aTask('b', { dueAt: tuesday, estimateMinutes: 120, maxSessionMinutes: 120 }),
    ]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(lateProof(tasks, 'b', { dependencies })).toBe(
      'It waits for “Task a”, which cannot be done before Tue 11:00. It then needs 2 h before ' +
        'Tue 12:00, and your hours have 1 h.',
    )
  })

  it('the task is overdue', () => {
    expect(lateProof([aTask('a', { dueAt: at('2026-01-02T12:00Z') })], 'a')).toBe(
      'Overdue since Fri 2 Jan 12:00; planned for Mon 09:00.',
    )
  })

  it('one of its blocks is fixed after the due date', () => {
    const tasks = [aTask('a', { dueAt: tuesday })]
    const blocks = [
      aBlock('x', 'a', '2026-01-06T13:00Z', '2026-01-06T14:00Z', { source: 'manual' }),
    ]

    expect(lateProof(tasks, 'a', { blocks })).toBe('Its own block until Tue 14:00 is fixed.')
  })
})

describe('why a task must be left over', () => {
  it.each<[string, Partial<Task>, string]>([
    ['no windows', { windows: [] }, 'Your hours have no time for it in the next 14 days.'],
    [
      'a piece too long',
      { autoSplit: false, estimateMinutes: 540 },
      'It needs 9 h in one piece; the longest free stretch in the next 14 days is 8 h.',
    ],
    [
      'too little time',
      { windows: mondays, estimateMinutes: 180 },
      'It needs 3 h in the next 14 days, and your hours have 2 h.',
    ],
    [
      'a start beyond the horizon',
      { startAfter: at('2026-03-02T09:00Z') },
      'You allow it only from Mon 2 Mar 09:00.',
    ],
  ])('%s', (_, given, proof) => {
    expect(leftProof([aTask('a', given)], 'a')).toBe(proof)
  })

  it('the task that it waits for has no room', () => {
    const tasks = [aTask('a', { windows: [] }), aTask('b')]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(leftProof(tasks, 'b', { dependencies })).toBe(
      'It waits for “Task a”, which does not fit.',
    )
  })

  it('the task that it waits for is not planned', () => {
    const tasks = [aTask('a', { autoSchedule: false }), aTask('b')]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(leftProof(tasks, 'b', { dependencies })).toBe(
      'It waits for “Task a”, which is not planned.',
    )
  })
})

describe('a long backlog', () => {
  const count = 700
  const tasks = Array.from({ length: count }, (_, i) =>
    aTask(`t${String(i).padStart(3, '0')}`, {
      priority: i < 250 ? 'high' : 'low',
      estimateMinutes: 60,
      dueAt: i % 2 ? at('2026-01-09T17:00Z') : null,
    }),
  )
  const made = planOf(aProblem({ tasks }))

  it('has proofs for the 200 heaviest of each list', () => {
    const proven = made.unscheduled.filter(({ proof }) => proof !== null)

    expect(made.unscheduled.length).toBeGreaterThan(500)
    expect(proven).toHaveLength(200)
    const isHeavy = ({ taskId }: { taskId: string }) => Number(taskId.slice(1)) < 250
    expect(proven.filter(isHeavy)).toEqual(made.unscheduled.filter(isHeavy))
  })

  it('says of the others that more important work fills the time', () => {
    const [last] = made.unscheduled.slice(-1)

    expect(last).toEqual({
      taskId: 't699',
      minutes: 60,
      text:
        'Its 1 h does not fit into the next 14 days because more important work fills all 14 days. ' +
        'There may be a better order; none was found.',
      proof: null,
    })
  })
})

describe('proofs of random problems', () => {
  it('hold when both sides are counted again, minute by minute', { timeout: 120_000 }, () => {
    let counted = 0
    for (let seed = 1; seed <= 400; seed++) {
      const problem = { ...randomProblem(seed), dependencies: [] }
      const made = planOf(problem)
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
        // A capacity proof counts all open time before the last due date, whether or not each task can use it.
        const usable = openTo(facts, names, late)
        const spare = minutes(open!) - usable
        expect(byCapacity ? spare >= 0 : spare === 0, `seed ${seed}: ${proof}`).toBe(true)
      }
    }
    expect(counted).toBeGreaterThan(30)
  })
})

const CUT = /: (\d+) tasks need (.+?), and there (?:is|are) (.+?)\. (“.*?)\.( The others .*)?$/

function minutes(text: string) {
  if (text === 'none') return 0
  const [, hours = 0, rest = 0] = text.match(/^(?:(\d+) h)? ?(?:(\d+) min)?$/)!
  return Number(hours) * 60 + Number(rest)
}

/** Minutes that are open to at least one of the tasks; if `late`, only those before its due date. */
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
