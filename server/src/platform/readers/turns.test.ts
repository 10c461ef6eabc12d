import { describe, expect, it } from 'vitest'
import { takeTurns } from './turns.ts'

const start = new Date('2026-03-02T08:00:00Z')
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

function newTurns(places = 1) {
  const turns = takeTurns({ places, mostWaiting: 4 })
  const started: string[] = []
  const enter = (userId: string, now = start) =>
    turns.enter(userId, now, () => void started.push(userId))
  return { ...turns, enter, started }
}

describe('turns', () => {
  it('go to the user who has used the least time', () => {
    const { enter, leave, started } = newTurns()
    for (const user of ['ada', 'ada', 'ada', 'grace', 'alan']) enter(user)
    leave('ada', 500, start)
    leave('grace', 100, start)
    leave('alan', 100, start)
    enter('grace')
    leave('ada', 500, start)

    expect(started).toEqual(['ada', 'grace', 'alan', 'ada', 'grace'])
  })

  it('give each user one place at a time, while others may have the rest', () => {
    const { enter, started } = newTurns(2)
    for (const user of ['ada', 'ada', 'grace']) enter(user)

    expect(started).toEqual(['ada', 'grace'])
  })

  it('are refused to a user with four waiting already', () => {
    const { enter } = newTurns()
    const entered = Array.from({ length: 6 }, () => enter('ada'))

    expect(entered).toEqual([true, true, true, true, true, false])
    expect(enter('grace')).toBe(true)
  })

  it('have to be waited for after much time was used, and time passes', () => {
    const { enter, leave, waitMs } = newTurns()
    enter('ada')
    leave('ada', 32_000, start)

    expect(waitMs('ada', start)).toBe(120_000)
    expect(waitMs('ada', after(1))).toBe(60_000)
    expect(waitMs('ada', after(2))).toBe(0)
    expect(waitMs('grace', start)).toBe(0)
  })

  it('are not lengthened by a clock that was set back', () => {
    const { enter, leave, waitMs } = newTurns()
    enter('ada')
    leave('ada', 31_000, start)

    expect(waitMs('ada', after(-60))).toBe(60_000)
  })
})
