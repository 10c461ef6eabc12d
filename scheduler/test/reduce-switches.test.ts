import { describe, expect, it } from 'vitest'
import { closeGaps } from '../src/local-search/close-gaps.ts'
import { type Day, daysOf, setDayOrder } from '../src/local-search/day-order.ts'
import { EjectionChain } from '../src/local-search/ejection-chain.ts'
import { reduceSwitches } from '../src/local-search/reduce-switches.ts'
import {
  gatherMoves,
  joinMoves,
  joinParts,
  removalMoves,
  type SwitchMove,
} from '../src/local-search/switch-moves.ts'
import type { Problem, Task } from '../src/model.ts'
import { switchCost } from '../src/objective/switch-cost.ts'
import { Draft } from '../src/placement/draft.ts'
import { compile } from '../src/problem/compile.ts'
import { aProblem, at, aTask } from './problem.ts'

/** `a 09:00-10:00` is a session of task a on Monday, `a +09:00-10:00` one on Tuesday. The drafts
 *  begin on Monday at 09:00. */
const draftOf = (
  sessions: string[],
  tasks: Record<string, Partial<Task>> = {},
  given: Partial<Problem> = {},
): Draft => {
  const pairs = new Map<string, number[]>()
  for (const text of sessions) {
    const [, id, next, start, end] = /^(\w+) (\+?)(\S+)-(\S+)$/.exec(text)!
    const day = next ? 1440 : 0
    const own = pairs.get(id!) ?? []
    pairs.set(id!, [...own, day + clock(start!) - 540, day + clock(end!) - 540])
  }
  const ids = [...pairs.keys()].toSorted()
  const need = (id: string) =>
    pairs.get(id)!.reduce((sum, minute, i) => sum + (i % 2 ? minute : -minute), 0)
  const draft = new Draft(
    compile(
      aProblem({
        now: at('2026-01-05T09:00Z'),
        tasks: ids.map((id) => aTask(id, { estimateMinutes: need(id), ...tasks[id] })),
        ...given,
      }),
    ),
  )
  for (const [j, id] of ids.entries()) draft.set(j, pairs.get(id)!)
  draft.commit()
  return draft
}

const clock = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const blocksOf = (draft: Draft): string[] =>
  draft.order().map(({ task, start, end }) => {
    const time = (minute: number) => new Date((minute + 540) * 60_000).toISOString().slice(11, 16)
    const next = start >= 900 ? '+' : ''
    return `${draft.compiled.tasks[task]!.id} ${next}${time(start)}-${time(end)}`
  })

const midnights = Array.from({ length: 17 }, (_, days) => days * 1440 - 540)
const firstDay = (draft: Draft): Day => daysOf(draft.inOrder, midnights, draft.compiled.horizon)[0]!
const rank = (draft: Draft) => Int32Array.from(draft.sessions, (_, j) => j)
/** The draft after each of the moves. */
const results = (draft: Draft, moves: SwitchMove[]): string[][] => {
  const state = { draft, chain: new EjectionChain(draft, rank(draft)) }
  return moves.flatMap((move) => {
    const before = blocksOf(draft)
    const change = move.propose(state)
    const result = change ? [blocksOf(draft)] : []
    if (change) move.undo(state, change)
    expect(blocksOf(draft)).toEqual(before)
    return result
  })
}
const reduced = (draft: Draft): string[] => {
  reduceSwitches(draft, rank(draft))
  return blocksOf(draft)
}

const INTERRUPTED = ['a 09:00-09:30', 'b 09:30-10:30', 'a 10:30-11:00']

describe('the cost of an order', () => {
  const costOf = (sessions: string[]) => {
    const draft = draftOf(sessions)
    return switchCost(draft.compiled, draft.inOrder)
  }

  it('is higher if a task is left and resumed', () => {
    const together = ['a 09:00-09:30', 'a 09:35-10:05', 'b 10:05-11:05']

    expect(costOf(INTERRUPTED)).toBeGreaterThan(costOf(together))
  })
  it('is higher for more parts, and for short ones', () => {
    const one = costOf(['a 09:00-10:00'])
    const two = costOf(['a 09:00-09:30', 'a 09:35-10:05'])
    const short = costOf(['a 09:00-09:50', 'a 09:55-10:05'])

    expect([one < two, two < short]).toEqual([true, true])
  })
})

describe('the order of a day', () => {
  it('assigns a block to the day on which it starts', () => {
    const draft = draftOf(['a 09:00-10:00', 'b +09:00-10:00', 'a +10:00-11:00'])
    const days = daysOf(draft.inOrder, midnights, draft.compiled.horizon)

    expect(days.map(({ blocks }) => blocks.length)).toEqual([1, 2])
    expect(days.map(({ from, until }) => [from, until])).toEqual([
      [0, 1440],
      [900, draft.compiled.horizon],
    ])
  })
  it('gives each block the earliest room after the previous one, with its cooldown', () => {
    const draft = draftOf(INTERRUPTED)
    const [a, b, c] = firstDay(draft).blocks

    expect(setDayOrder(draft, firstDay(draft), [a!, c!, b!])).toBe(true)
    expect(blocksOf(draft)).toEqual(['a 09:00-09:30', 'a 09:35-10:05', 'b 10:05-11:05'])
  })
  it('places a block that has no room left on the day elsewhere', () => {
    const full = ['a 09:00-09:30', 'b 09:30-16:30', 'a 16:30-17:00']
    const draft = draftOf(full, { b: { autoSplit: false }, a: { cooldownMinutes: 15 } })
    const [a, b, c] = firstDay(draft).blocks

    expect(setDayOrder(draft, firstDay(draft), [a!, c!, b!])).toBe(true)
    expect(blocksOf(draft)).toEqual(['a 09:00-09:30', 'a 09:45-10:15', 'b +09:00-16:00'])
  })
  it('may not put a task before the one it waits for', () => {
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]
    const draft = draftOf(['a 09:00-10:00', 'b 10:00-11:00'], {}, { dependencies })

    expect(setDayOrder(draft, firstDay(draft), firstDay(draft).blocks.toReversed())).toBe(false)
  })
})

describe('moves', () => {
  it('adjacent parts become one block if the longest session allows', () => {
    const order = (draft: Draft) => joinParts(draft.compiled, draft.inOrder).length

    expect(order(draftOf(['a 09:00-09:30', 'a 09:30-10:00']))).toBe(1)
    expect(order(draftOf(['a 09:00-10:00', 'a 10:00-10:30']))).toBe(2)
    expect(
      order(draftOf(['a 09:00-09:30', 'a 09:30-10:00'], { a: { maxSessionMinutes: 45 } })),
    ).toBe(2)
  })
  it('join: one part moves to the other, after or in front of what separates them', () => {
    const draft = draftOf(INTERRUPTED)

    expect(results(draft, joinMoves(draft, firstDay(draft)))).toEqual([
      ['b 09:00-10:00', 'a 10:00-11:00'],
      ['a 09:00-10:00', 'b 10:00-11:00'],
    ])
  })
  it('removal: a task in the pause of another moves after it', () => {
    const draft = draftOf(['a 09:00-10:00', 'b 10:00-10:05', 'a 10:05-11:05'])

    expect(results(draft, removalMoves(firstDay(draft)))).toEqual([
      ['a 09:00-10:00', 'a 10:05-11:05', 'b 11:05-11:10'],
    ])
  })
  it('gather: a task in many parts takes the time of others', () => {
    const draft = draftOf(['a 09:00-09:20', 'b 09:20-10:00', 'a +09:00-09:40'])

    expect(results(draft, gatherMoves(draft, 0))).toContainEqual(['a 09:00-10:00', 'b 10:00-10:40'])
  })
})

describe('a plan that is not in the calendar yet', () => {
  it('keeps the parts of a task together', () => {
    expect(reduced(draftOf(INTERRUPTED))).toHaveLength(2)
  })
  it('makes nothing late', () => {
    const tasks = { a: { dueAt: at('2026-01-05T11:00Z') }, b: { dueAt: at('2026-01-05T10:30Z') } }

    expect(reduced(draftOf(INTERRUPTED, tasks))).toEqual(['b 09:00-10:00', 'a 10:00-11:00'])
  })
  it('is unchanged if due dates allow no other order', () => {
    const sessions = ['a 09:00-10:00', 'b 10:00-10:05', 'a 10:05-11:05']
    const tasks = { a: { dueAt: at('2026-01-05T11:05Z') }, b: { dueAt: at('2026-01-05T10:05Z') } }

    expect(reduced(draftOf(sessions, tasks))).toEqual(sessions)
  })
  it('places the more important task first if both orders have as few switches', () => {
    expect(reduced(draftOf(INTERRUPTED, { a: { priority: 'urgent' } }))[0]).toBe('a 09:00-10:00')
  })
})

describe('idle time', () => {
  const withoutGaps = (...given: Parameters<typeof draftOf>): string[] => {
    const draft = draftOf(...given)
    closeGaps(draft)
    return blocksOf(draft)
  }

  it('is closed by the sessions after it, in their order', () => {
    expect(withoutGaps(['a 09:00-09:30', 'b 10:00-11:00', 'c +09:00-10:00'])).toEqual([
      'a 09:00-09:30',
      'b 09:30-10:30',
      'c 10:30-11:30',
    ])
  })
  it('stays as long as the cooldown between two sessions of a task', () => {
    expect(withoutGaps(['a 09:00-09:30', 'a 10:30-11:00'], { a: { cooldownMinutes: 15 } })).toEqual(
      ['a 09:00-09:30', 'a 09:45-10:15'],
    )
  })
  it('stays before a task that waits for another, or that may not start yet', () => {
    const dependencies = [{ taskId: 'a', dependsOnTaskId: 'b' }]
    const tasks = { b: { startAfter: at('2026-01-05T10:00Z') } }

    expect(withoutGaps(['b 10:30-11:00', 'a 12:00-13:00'], tasks, { dependencies })).toEqual([
      'b 10:00-10:30',
      'a 10:30-11:30',
    ])
  })
  it('stays at the end of a day that has reached its daily limit', () => {
    const preferences = { dailyLimitMinutes: 60 }
    const sessions = ['a 09:00-10:00', 'b +09:30-10:30']

    expect(withoutGaps(sessions, {}, { preferences })).toEqual(['a 09:00-10:00', 'b +09:00-10:00'])
  })
  it('stays where free time is preferred', () => {
    const preferences = { keepFreePercent: 25 }
    const sessions = ['a 09:00-10:00', 'b 11:00-12:00']

    expect(withoutGaps(sessions, {}, { preferences })).toEqual(sessions)
  })
})
