import { describe, expect, it } from 'vitest'
import { people } from '../bench/people.ts'
import { likelihoodOf } from '../src/forecast/chances.ts'
import { maxExecutions, maxPlans } from '../src/forecast/effort.ts'
import { capacityOf, chancesOf, check, findMeetingSlots, findWaysOut, plan } from '../src/index.ts'
import type { Block, Plan, Problem, Task } from '../src/model.ts'
import { carriedOut } from './calendar.ts'
import { aBlock, aProblem, aTask, at } from './problem.ts'

const PRECISE = Array.from({ length: 200 }, (_, i) => 0.98 + (i % 5) / 100)
const friday = at('2026-01-09T17:00Z')

describe('the chance of meeting a due date', () => {
  const chanceOf = (problem: Problem, ratios: number[], id = 'a') =>
    chancesOf(problem, plan(problem), ratios).find(({ taskId }) => taskId === id)?.chance

  it('is the share of estimation errors with which the work is in time', () => {
    // Done Mon 10:00 at the estimate; due at 10:30, so in time up to a ratio of 1.5.
    const task = aTask('a', { dueAt: at('2026-01-05T10:30Z'), autoSplit: false })
    const ratios = Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? 2 : 0.9))

    expect(chanceOf(aProblem({ tasks: [task] }), ratios)).toBeCloseTo(0.75, 1)
  })

  it('is lower after a task that may run over, unless there is free time between them', () => {
    const long = aTask('long', {
      estimateMinutes: 180,
      priority: 'urgent',
      maxSessionMinutes: 180,
      dueAt: at('2026-01-05T12:00Z'),
    })
    const after = (startAfter: string) =>
      aTask('a', { startAfter: at(startAfter), dueAt: at('2026-01-06T17:00Z') })
    const behind = aProblem({
      tasks: [long, { ...after('2026-01-05T12:00Z'), dueAt: at('2026-01-05T13:30Z') }],
    })
    const later = aProblem({
      tasks: [long, { ...after('2026-01-05T15:00Z'), dueAt: at('2026-01-05T16:30Z') }],
    })
    const ratios = Array.from({ length: 300 }, (_, i) => 0.7 + (i % 10) / 10)

    expect(chanceOf(behind, ratios)).toBeLessThan(chanceOf(later, ratios)! - 0.15)
  })

  it('is 0 for overdue work and for work that is left over', () => {
    const overdue = aTask('a', { dueAt: at('2026-01-02T17:00Z') })
    const tooMuch = aTask('b', { estimateMinutes: 6000, dueAt: friday })
    const problem = aProblem({ tasks: [overdue, tooMuch] })

    expect(chanceOf(problem, PRECISE)).toBe(0)
    expect(chanceOf(problem, PRECISE, 'b')).toBe(0)
  })

  it('is stated for planned tasks that are due within the horizon, in order of due dates', () => {
    const problem = aProblem({
      tasks: [
        aTask('a', { dueAt: friday }),
        aTask('b', { dueAt: at('2026-01-06T17:00Z') }),
        aTask('no due date'),
        aTask('no estimate', { dueAt: friday, estimateMinutes: null }),
        aTask('far', { dueAt: at('2026-03-01T17:00Z') }),
      ],
    })

    const chances = chancesOf(problem, plan(problem), PRECISE)
    expect(chances.map(({ taskId }) => taskId)).toEqual(['b', 'a'])
    expect(chances[0]).toMatchObject({ chance: 1, likelihood: 'very likely' })
  })

  it('counts the completed work of a task, and its hand-placed blocks ahead', () => {
    const task = aTask('a', { estimateMinutes: 120, dueAt: at('2026-01-05T11:15Z') })
    const done = aBlock('done', 'a', '2026-01-05T07:00Z', '2026-01-05T08:00Z', {
      status: 'completed',
    })
    const ahead = aBlock('ahead', 'a', '2026-01-05T10:00Z', '2026-01-05T11:00Z', {
      source: 'manual',
    })
    const problem = aProblem({ tasks: [task], blocks: [done, ahead] })

    expect(chanceOf(problem, PRECISE)).toBe(1)
    expect(
      chanceOf(
        problem,
        PRECISE.map((ratio) => ratio * 1.5),
      ),
    ).toBe(0)
  })

  it('is the same for the same input', () => {
    for (const { problem } of people(1)) {
      const made = plan(problem)
      expect(chancesOf(problem, made, [1.2, 0.8])).toEqual(chancesOf(problem, made, [1.2, 0.8]))
    }
  })

  it.each([
    [1, 'very likely'],
    [0.8, 'likely'],
    [0.5, 'uncertain'],
    [0.2, 'unlikely'],
    [0, 'very unlikely'],
  ])('%s is called %s', (chance, word) => {
    expect(likelihoodOf(chance)).toBe(word)
  })
})

describe('the capacity', () => {
  it('tells until when the time is booked out, and what each week holds', () => {
    // Monday to Wednesday noon: 20 hours of work without pauses.
    const task = aTask('a', { estimateMinutes: 1200, maxSessionMinutes: 480, cooldownMinutes: 0 })
    const meeting = aBlock('m', null, '2026-01-12T09:00Z', '2026-01-12T10:00Z', { type: 'event' })
    const problem = aProblem({ tasks: [{ ...task, dueAt: friday }], blocks: [meeting] })

    const capacity = capacityOf(problem, plan(problem))

    expect(capacity.bookedOutUntil).toBe(at('2026-01-07T13:00Z'))
    expect(capacity.leftOverMinutes).toBe(0)
    expect(capacity.weeks).toEqual([
      {
        from: problem.now,
        until: at('2026-01-12T00:00Z'),
        windowMinutes: 2400,
        busyMinutes: 0,
        plannedMinutes: 1200,
        freeMinutes: 1200,
        dueMinutes: 1200,
      },
      {
        from: at('2026-01-12T00:00Z'),
        until: at('2026-01-19T00:00Z'),
        windowMinutes: 2400,
        busyMinutes: 60,
        plannedMinutes: 0,
        freeMinutes: 2340,
        dueMinutes: 0,
      },
      {
        from: at('2026-01-19T00:00Z'),
        until: at('2026-01-19T08:00Z'),
        windowMinutes: 0,
        busyMinutes: 0,
        plannedMinutes: 0,
        freeMinutes: 0,
        dueMinutes: 0,
      },
    ])
  })

  it('is not booked out if the first day has room, and booked out to the end if no day has', () => {
    expect(capacityOf(aProblem(), plan(aProblem())).bookedOutUntil).toBeNull()
    const full = aProblem({ tasks: [aTask('a', { estimateMinutes: 9000 })] })
    expect(capacityOf(full, plan(full))).toMatchObject({
      bookedOutUntil: at('2026-01-19T08:00Z'),
      leftOverMinutes: expect.any(Number) as number,
    })
  })

  it('counts every minute of the windows once', () => {
    for (const { problem } of people(2)) {
      for (const week of capacityOf(problem, plan(problem)).weeks) {
        expect(week.busyMinutes + week.plannedMinutes + week.freeMinutes).toBe(week.windowMinutes)
      }
    }
  })
})

/** The plan of the problem, the calendar with that plan, and the problem with that calendar. */
const settle = (problem: Problem) => {
  const made = plan(problem)
  const blocks = carriedOut(problem, made)
  return { made, blocks, problem: { ...problem, blocks, changed: [] } }
}
const appointment = (startAt: number, endAt: number): Block => ({
  ...aBlock('meeting', null, '2026-01-05T09:00Z', '2026-01-05T10:00Z'),
  type: 'event',
  source: 'manual',
  startAt,
  endAt,
})
const idsOf = (reasons: { taskId: string }[]) => reasons.map(({ taskId }) => taskId)
const leftOver = ({ unscheduled }: Plan, except?: string) =>
  unscheduled
    .filter(({ taskId }) => taskId !== except)
    .reduce((sum, { minutes }) => sum + minutes, 0)
const without = (ids: string[], others: string[]) =>
  ids.filter((id) => !others.includes(id)).toSorted()
const places = (blocks: Block[]) =>
  blocks
    .filter(({ taskId }) => taskId !== null)
    .map(({ taskId, startAt, endAt }) => `${taskId} ${startAt} ${endAt}`)
/** The places in the first list and not in the second; one that occurs twice counts twice. */
const missing = (list: string[], others: string[]) => {
  const rest = [...others]
  return list.filter((place) => {
    const i = rest.indexOf(place)
    if (i >= 0) rest.splice(i, 1)
    return i < 0
  })
}
const lateMinutes = (tasks: Task[], blocks: Block[], made: Plan, except?: string) =>
  tasks
    .filter(({ id }) => id !== except && !idsOf(made.unscheduled).includes(id))
    .reduce((sum, { id, dueAt }) => {
      const ends = blocks.filter(({ taskId }) => taskId === id).map(({ endAt }) => endAt)
      if (dueAt === null || ends.length === 0) return sum
      return sum + Math.max(0, Math.max(...ends) - dueAt) / 60_000
    }, 0)

type Stated = {
  becomeLate: string[]
  becomeOnTime: string[]
  lateMinutes: number
  leftOverMinutes: number
  moves: { taskId: string; from: object | null; to: object | null }[]
}

/** Plans the changed problem again, and compares what the effect says with what is found. */
const expectEffect = (
  { made, blocks, problem }: ReturnType<typeof settle>,
  changed: Problem,
  effect: Stated,
  except?: string,
) => {
  const after = plan(changed)
  const then = carriedOut(changed, after)
  expect(check(changed, after)).toEqual([])
  const [late, lateThen] = [made, after].map(({ atRisk }) =>
    idsOf(atRisk).filter((id) => id !== except),
  )
  expect(effect.becomeLate).toEqual(without(lateThen!, late!))
  expect(effect.becomeOnTime).toEqual(without(late!, lateThen!))
  expect(effect.leftOverMinutes).toBe(leftOver(after, except) - leftOver(made, except))
  expect(effect.lateMinutes).toBeCloseTo(
    lateMinutes(changed.tasks, then, after, except) -
      lateMinutes(problem.tasks, blocks, made, except),
  )
  const moved = (end: 'from' | 'to') =>
    effect.moves
      .flatMap((move) => {
        const place = move[end] as { startAt: number; endAt: number } | null
        return place ? [`${move.taskId} ${place.startAt} ${place.endAt}`] : []
      })
      .toSorted()
  expect(moved('from')).toEqual(missing(places(blocks), places(then)).toSorted())
  expect(moved('to')).toEqual(missing(places(then), places(blocks)).toSorted())
}

describe('meeting slots', { timeout: 60_000 }, () => {
  it('are in free time first, and a free slot has no effect', () => {
    const problem = aProblem({ tasks: [aTask('a', { dueAt: friday })] })

    const { slots } = findMeetingSlots(problem, { minutes: 30, count: 2 })

    expect(slots).toHaveLength(2)
    for (const { startAt, endAt, effect } of slots) {
      expect(endAt - startAt).toBe(30 * 60_000)
      expect(effect).toMatchObject({
        becomeLate: [],
        lateMinutes: 0,
        leftOverMinutes: 0,
        moves: [],
      })
    }
    expect(slots[0]!.startAt).toBe(at('2026-01-05T10:00Z'))
  })

  it('lie in the range and the windows that are asked for, and on no kept block', () => {
    const problem = aProblem({
      blocks: [aBlock('m', null, '2026-01-06T13:00Z', '2026-01-06T14:00Z', { source: 'manual' })],
    })

    const { slots } = findMeetingSlots(problem, {
      minutes: 60,
      from: at('2026-01-06T00:00Z'),
      until: at('2026-01-08T00:00Z'),
      windows: [{ day: [2, 3], start: '13:00', end: '15:00' }],
      count: 8,
    })

    expect(slots.map(({ startAt }) => new Date(startAt).toISOString().slice(5, 16))).toEqual([
      '01-06T14:00',
      '01-07T13:00',
      '01-07T14:00',
    ])
  })

  it('are not found if no free time is long enough', () => {
    const until = at('2026-01-05T10:00Z')
    expect(findMeetingSlots(aProblem(), { minutes: 61, until }).slots).toEqual([])
  })

  it('state the effect of planning with the slot taken', () => {
    for (const { problem } of people(1)) {
      const settled = settle(problem)
      const { slots } = findMeetingSlots(problem, { minutes: 60, count: 8 })
      expect(slots.length).toBeGreaterThan(0)
      for (const { startAt, endAt, effect } of slots) {
        const { changed: _, ...rest } = settled.problem
        const changed = { ...rest, blocks: [...settled.blocks, appointment(startAt, endAt)] }
        expectEffect(settled, changed, effect)
      }
    }
  })
})

describe('ways out', { timeout: 120_000 }, () => {
  const findFor = (problem: Problem) => findWaysOut(problem, plan(problem))

  it('are not looked for where nothing is late or left over', () => {
    expect(findFor(aProblem({ tasks: [aTask('a', { dueAt: friday })] }))).toEqual([])
    expect(findFor(aProblem({ tasks: [aTask('a', { dueAt: at('2026-01-02T17:00Z') })] }))).toEqual(
      [],
    )
  })

  it('postpone the task that makes room for everything', () => {
    const today = { dueAt: at('2026-01-05T17:00Z'), cooldownMinutes: 0, maxSessionMinutes: 480 }
    const small = { ...today, estimateMinutes: 240, priority: 'low' as const }
    const problem = aProblem({
      tasks: [
        aTask('a', { ...today, estimateMinutes: 480, priority: 'medium' }),
        aTask('b', small),
        aTask('c', small),
      ],
    })

    const [best] = findFor(problem).filter(({ change }) => change.kind === 'postpone')

    expect(best).toMatchObject({
      change: { kind: 'postpone', taskId: 'a', missesDueDate: true },
      effect: { becomeOnTime: ['b', 'c'], becomeLate: [] },
      solvesAll: true,
    })
  })

  it('add an hour to a day if that is enough', () => {
    const problem = aProblem({
      tasks: [
        aTask('a', {
          estimateMinutes: 540,
          cooldownMinutes: 0,
          dueAt: at('2026-01-05T19:00Z'),
        }),
      ],
    })

    const [best] = findFor(problem)

    expect(best).toMatchObject({
      change: { kind: 'extend', windows: null, added: { day: [1], start: '17:00', end: '18:00' } },
      effect: { becomeOnTime: ['a'], becomeLate: [] },
      solvesAll: true,
    })
  })

  it('state the effect of planning with the change, and never make another task late', () => {
    let found = 0
    for (const { problem } of people(2)) {
      const settled = settle(problem)
      for (const { change, effect } of findFor(problem)) {
        found++
        expect(effect.becomeLate).toEqual([])
        if (change.kind === 'postpone') {
          const { taskId, startAfter } = change
          const tasks = problem.tasks.map((task) =>
            task.id === taskId ? { ...task, startAfter } : task,
          )
          expectEffect(settled, { ...settled.problem, tasks, changed: [taskId] }, effect, taskId)
        } else {
          const defaults = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]
          const windows = [...(change.windows ?? defaults), change.added]
          const tasks = problem.tasks.map((task) =>
            JSON.stringify(task.windows) === JSON.stringify(change.windows)
              ? { ...task, windows }
              : task,
          )
          const { changed: _, ...rest } = settled.problem
          expectEffect(settled, { ...rest, tasks }, effect)
        }
      }
    }
    expect(found).toBeGreaterThan(3)
  })
})

describe('the effort of a forecast', () => {
  it('is a few plans, and only one for a long backlog', () => {
    expect([0, 1, 100, 200, 800, 50_000].map(maxPlans)).toEqual([8, 8, 8, 4, 1, 1])
    expect([0, 200, 500, 5000].map(maxExecutions)).toEqual([1000, 1000, 400, 200])
  })
  it('is limited in a slot search: with a backlog of 800 tasks it returns one slot', () => {
    const tasks = Array.from({ length: 800 }, (_, i) => aTask(`t${i}`, { estimateMinutes: 5 }))

    expect(findMeetingSlots(aProblem({ tasks }), { minutes: 60, count: 8 }).slots).toHaveLength(1)
  })
})
