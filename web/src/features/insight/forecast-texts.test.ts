import { describe, expect, it } from 'vitest'
import { describeChance, describeChange, describeEffect, type WayOut } from './forecast-texts.ts'

const titleOf = (id: string) => `Task ${id}`
const effect = {
  becomeLate: [],
  becomeOnTime: ['a'],
  lateMinutes: -45,
  leftOverMinutes: 0,
  moves: [],
}
const extension: WayOut = {
  change: { kind: 'extend', windows: null, added: { day: [4], start: '17:00', end: '18:00' } },
  effect,
  solvesAll: false,
}
const postponement: WayOut = {
  change: {
    kind: 'postpone',
    taskId: 'x',
    startAfter: new Date('2026-03-16T08:00:00Z'),
    missesDueDate: true,
  },
  effect,
  solvesAll: true,
}

describe('the chance of a due date', () => {
  it('is a word and a number', () => {
    const chance = { taskId: 'a', dueAt: new Date(0), chance: 0.856, likelihood: 'likely' } as const

    expect(describeChance(chance)).toBe('Likely, 86%')
  })
  it('is never shown as 0% or 100%', () => {
    const [always, never] = [1, 0].map((chance) =>
      describeChance({ taskId: 'a', dueAt: new Date(0), chance, likelihood: 'very likely' }),
    )

    expect([always, never]).toEqual(['Very likely, 99%', 'Very likely, 1%'])
  })
})

describe('a way out', () => {
  it('names the hours to add', () => {
    expect(describeChange(extension, titleOf, 'UTC')).toBe(
      'Work from 17:00 to 18:00 on Thursdays, every week',
    )
  })
  it('names the task to postpone, and says if that misses its due date', () => {
    expect(describeChange(postponement, titleOf, 'UTC')).toMatch(/^Postpone “Task x” to after /)
    expect(describeEffect(postponement, titleOf)).toBe(
      'Then everything else fits and is on time. It will miss its own due date.',
    )
  })
  it('names at most three tasks that will be on time, and counts the blocks that move', () => {
    const place = { startAt: new Date(0), endAt: new Date(1) }
    const moves = [
      { taskId: 'a', from: place, to: place },
      { taskId: 'b', from: null, to: place },
    ]
    const becomeOnTime = ['a', 'b', 'c', 'd']

    expect(
      describeEffect({ ...extension, effect: { ...effect, becomeOnTime, moves } }, titleOf),
    ).toBe('Then “Task a”, “Task b”, “Task c” and 1 more are on time. 1 block moves.')
  })
  it('says how much more work fits if no late task becomes on time', () => {
    const more = { ...effect, becomeOnTime: [], leftOverMinutes: -90 }

    expect(describeEffect({ ...extension, effect: more }, titleOf)).toBe(
      'Then 1h 30m more of your work fits.',
    )
  })
})
