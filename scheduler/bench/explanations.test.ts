import { describe, expect, it } from 'vitest'
import { plan } from '../src/index.ts'
import type { Plan, PlannedBlock, Problem } from '../src/model.ts'
import { aBlock, aPlan, aProblem, at, aTask, planned } from '../test/problem.ts'
import { randomProblem } from '../test/random-problem.ts'
import { CHANGES, withPlan } from './changes.ts'
import { judgePlan, type Memory, type Verdict } from './explanation-judge.ts'
import { type Instance, range, weeks } from './instances.ts'
import { people } from './people.ts'

const DAY = 86_400_000
/** The changes made to each planned week, one at a time; after the last one, a day passes. */
const JUDGED = ['an hour passed', 'an urgent one due tomorrow', 'a new meeting']

/** The verdicts on a week that is planned for the first time, after each change, and a day later. */
const verdictsOn = (instance: Instance): Verdict[] => {
  const memory: Memory = new Map()
  const first = plan(instance.problem)
  const verdicts = judgePlan(instance.problem, first, memory)
  const planned = withPlan(instance.problem, first)
  for (const change of CHANGES.filter(({ name }) => JUDGED.includes(name))) {
    const changedMemory: Memory = new Map(memory)
    const changed = change.apply(instance, planned)
    const again = plan(changed)
    verdicts.push(...judgePlan(changed, again, changedMemory))
    if (change.name !== JUDGED.at(-1)) continue
    const nextDay = { ...withPlan(changed, again), now: changed.now + DAY }
    verdicts.push(...judgePlan(nextDay, plan(nextDay), changedMemory))
  }
  return verdicts
}

const smallAndNasty = (count: number): Instance[] =>
  range(count).map((i) => {
    const problem = randomProblem(i + 1)
    return { name: `random-${i + 1}`, family: 'random', size: problem.tasks.length, problem }
  })

const bad = (verdicts: Verdict[], kind: string) =>
  verdicts.filter(({ findings }) => findings.some(({ is }) => is === kind))
const shown = (verdicts: Verdict[]) =>
  verdicts.slice(0, 5).map(({ text, findings }) => `${findings[0]!.what}: ${text}`)

describe('the explanations', { timeout: 240_000 }, () => {
  it('are true, and at most one in fifty is misleading', () => {
    const verdicts = [...people(1), ...weeks(200, 1), ...smallAndNasty(20)].flatMap(verdictsOn)

    expect(verdicts.length).toBeGreaterThan(10_000)
    expect(shown(bad(verdicts, 'false'))).toEqual([])
    expect(bad(verdicts, 'misleading').length / verdicts.length).toBeLessThanOrEqual(0.02)
  })
})

const findingsIn = (problem: Problem, given: Plan) =>
  judgePlan(problem, given, new Map()).flatMap(({ findings }) => findings)
const whole = { autoSplit: false, estimateMinutes: 60 }

describe('the judge detects false statements', () => {
  const tuesday = at('2026-01-06T09:00Z')
  const problem = aProblem({
    tasks: [
      aTask('a', { ...whole, dueAt: at('2026-01-05T10:00Z') }),
      aTask('b', { ...whole, priority: 'high', dueAt: at('2026-01-07T17:00Z') }),
      aTask('c', { ...whole, priority: 'low' }),
      aTask('d', { ...whole, dueAt: at('2026-01-05T09:30Z') }),
      aTask('e', { estimateMinutes: 120, startAfter: at('2026-01-07T10:30Z') }),
      aTask('f', { ...whole, startAfter: tuesday, dueAt: at('2026-01-06T10:00Z') }),
      aTask('g', { ...whole, startAfter: tuesday, dueAt: at('2026-01-07T17:00Z') }),
    ],
  })
  const made = plan(problem)
  const changed = (change: (block: PlannedBlock) => Partial<PlannedBlock>): Plan => ({
    ...made,
    create: made.create.map((block) => ({ ...block, ...change(block) })),
  })

  it('but accepts the unchanged texts', () => {
    expect(made.create.map(({ explanation }) => explanation)).toEqual([
      'This is the earliest time in your hours. ' +
        'Done Mon 10:00, due 10:00: there is no other time left before that.',
      'After “Task a”, which matters as much. Late: done Mon 11:00, due Mon 09:30.',
      '2 tasks come first because they are due sooner: “Task d” and “Task a”. ' +
        'Done Mon 12:00, two days before it is due.',
      '3 tasks come first because they have due dates: “Task b”, “Task d” and “Task a”.',
      'As early as you allow: from Tue 09:00. ' +
        'Done Tue 10:00, due 10:00: there is no other time left before that.',
      'After “Task f”, which is due sooner (Tue 10:00). Done Tue 11:00, the day before it is due.',
      'Part 1 of 2, as early as you allow: from Wed 10:30.',
      'Part 2 of 2, after a 5-minute pause.',
    ])
    expect(findingsIn(problem, made)).toEqual([])
  })

  it.each([
    ['another due date', 'sooner (Tue 10:00)', 'sooner (Tue 11:00)'],
    ['another relation', 'is due sooner (Tue 10:00)', 'matters more'],
    ['another end', 'Done Tue 11:00', 'Done Tue 11:30'],
    ['another number of days', 'two days before', 'three days before'],
    ['another number of tasks', '2 tasks', '3 tasks'],
    ['another reason for several', 'they are due sooner', 'they matter more'],
    ['another number of names', ', “Task d” and “Task a”', ' and 3 more'],
    ['a task that is not in front', '“Task d” and “Task a”. Done', '“Task d” and “Task e”. Done'],
    ['the earliest time', /^3 tasks.*$/, 'This is the earliest time in your hours.'],
    ['free time that is taken', /^3 tasks.*$/, 'Mon 09:00 is free too; it has no due date.'],
    [
      'a gap that does not exist',
      /^After [^.]*/,
      'It could begin Mon 09:00, but only with a session of 20 min',
    ],
    ['in time', 'Late: done Mon 11:00, due Mon 09:30', 'Done Mon 11:00, due 09:30'],
    ['overdue', /Late: .*/, 'Overdue since Mon 09:30; planned for Mon 10:00.'],
    [
      'tight',
      'two days before it is due',
      'due Wed 17:00: there is no other time left before that',
    ],
    ['another part', 'Part 1 of 2', 'Part 2 of 3'],
    ['another start date', 'from Wed 10:30', 'from Wed 10:00'],
    ['another pause', 'a 5-minute pause', 'a 10-minute pause'],
    ['unchanged', /^This/, 'Unchanged since Mon 08:00. This'],
    ['moved', /^This/, 'Moved from Mon 09:00. This'],
    ['words it does not know', 'the earliest', 'a rather early'],
    ['no words', /^3 tasks.*$/, ''],
  ])('%s', (_, from, to) => {
    const given = changed(({ explanation }) => ({ explanation: explanation.replace(from, to) }))

    expect(given).not.toEqual(made)
    expect(findingsIn(problem, given).map(({ is }) => is)).toContain('false')
  })

  it.each(['a', 'b'])('the opposite of “defended”: %s', (id) => {
    const given = changed(({ taskId, defended }) => ({ defended: (taskId === id) !== defended }))

    expect(findingsIn(problem, given)).toEqual([{ is: 'false', what: 'defended' }])
  })

  it('a wrong fact in a reason', () => {
    const atRisk = made.atRisk.map((reason) => ({
      ...reason,
      text: reason.text.replace('done Mon 11:00', 'done Mon 12:00'),
    }))

    expect(findingsIn(problem, { ...made, atRisk })).toEqual([
      { is: 'false', what: 'how it stands' },
    ])
  })
})

describe('the judge detects misleading texts', () => {
  const tasks = [
    aTask('low', { ...whole, priority: 'low' }),
    aTask('high', { ...whole, priority: 'high' }),
    aTask('urgent', { ...whole, priority: 'urgent' }),
    aTask('quick', { ...whole, priority: 'urgent', estimateMinutes: 30 }),
    aTask('short', { ...whole, priority: 'none', estimateMinutes: 15 }),
    aTask('split', { priority: 'high' }),
  ]
  const time = (clock: string) => `2026-01-05T${clock}Z`
  const after = 'After “Task urgent”, which matters more.'
  const misleads = (
    [id, from, text]: [id: string, from: string, text: string],
    others: [id: string, from: string, to: string][],
    busy: [from: string, to: string][] = [],
  ) => {
    const until = new Date(at(time(from)) + 3_600_000).toISOString().slice(11, 16)
    const create = [...others, [id, from, until] as const].map(([taskId, start, end]) =>
      planned(taskId, time(start), time(end)),
    )
    const blocks = busy.map(([start, end], i) => aBlock(`busy-${i}`, null, time(start), time(end)))
    const judged = create.at(-1)!
    const given = aPlan({
      create: create.map((block) => (block === judged ? { ...block, explanation: text } : block)),
    })
    return judgePlan(aProblem({ tasks, blocks }), given, new Map()).find(
      (one) => one.text === text,
    )!.findings
  }
  const misleading = (what: string) => [{ is: 'misleading', what }]

  it('an earlier place that is free', () => {
    expect(misleads(['high', '12:00', after], [['urgent', '11:00', '12:00']])).toEqual(
      misleading('an earlier place is free'),
    )
  })

  it('less important work in front', () => {
    const others: [string, string, string][] = [
      ['low', '09:00', '10:00'],
      ['urgent', '10:00', '11:00'],
    ]

    expect(misleads(['high', '11:00', after], others)).toEqual(
      misleading('less important work is in front'),
    )
  })

  it('a named task without which the block would be no earlier', () => {
    const text = '2 tasks come first because they matter more: “Task urgent” and “Task quick”.'
    const others: [string, string, string][] = [
      ['quick', '09:00', '09:30'],
      ['urgent', '10:00', '11:00'],
    ]

    expect(misleads(['high', '11:00', text], others, [['09:30', '10:00']])).toEqual(
      misleading('a named task is not a cause'),
    )
  })

  it('an unnamed task between the named one and the block', () => {
    const others: [string, string, string][] = [
      ['urgent', '09:00', '10:00'],
      ['short', '10:15', '10:30'],
    ]
    const busy: [string, string][] = [
      ['10:00', '10:15'],
      ['10:30', '11:00'],
    ]

    expect(misleads(['high', '11:00', after], others, busy)).toEqual(
      misleading('another task lies between'),
    )
  })

  it('a gap in which a shorter session could begin', () => {
    const others: [string, string, string][] = [['urgent', '10:00', '11:00']]

    expect(misleads(['split', '11:00', after], others, [['09:20', '10:00']])).toEqual(
      misleading('a shorter session would fit earlier'),
    )
  })
})
