import { describe, expect, it, vi } from 'vitest'
import { type Party, shareConnections } from './share-connections.ts'

const limits = { connections: 10, maxWaiting: 1000, patienceMs: 2000 }
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Takes connections for parties and reports the order in which the parties got them. */
function share(overrides: Partial<typeof limits> = {}) {
  const gate = shareConnections({ ...limits, ...overrides })
  const got: string[] = []
  const take = (party: Party, count = 1) => {
    for (let each = 0; each < count; each += 1) {
      const waiting = gate.enter(party)
      if (waiting) void waiting.then(() => got.push(party.key))
      else got.push(party.key)
    }
  }
  return { ...gate, got, take }
}

const ada = { key: 'ada' }
const grace = { key: 'grace' }

describe('connections', () => {
  it('are never all held by one party', () => {
    const { take, got, waiting } = share()

    take(ada, 50)

    expect(got).toHaveLength(4)
    expect(waiting()).toBe(46)
  })

  it('are left for a fifth party beside four that take as many as they can', () => {
    const { take, got } = share()
    for (const key of ['a', 'b', 'c', 'd']) take({ key }, 50)

    take(ada)

    expect(got).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'c', 'c', 'd', 'ada'])
  })

  it('go first to the party that holds the fewest', async () => {
    const { take, leave, got } = share({ connections: 2 })
    take(ada, 3)
    take({ key: 'mary' })
    take(grace)
    expect(got).toEqual(['ada', 'mary'])

    leave({ key: 'mary' })
    await nextTurn()

    expect(got).toEqual(['ada', 'mary', 'grace'])
  })

  it('go in turn to parties that hold equally few', async () => {
    const { take, leave, got } = share({ connections: 1 })
    take(ada, 3)
    take(grace, 3)

    for (let count = 0; count < 5; count += 1) {
      leave({ key: got.at(-1) ?? '' })
      await nextTurn()
    }

    expect(got).toEqual(['ada', 'ada', 'grace', 'ada', 'grace', 'grace'])
  })

  it('are all available to the service itself', () => {
    const { enter } = share()

    const waits = Array.from({ length: 11 }, () => enter())

    expect(waits.filter((wait) => wait === undefined)).toHaveLength(10)
  })

  it('go first to the service itself, up to half of them', async () => {
    const { take, leave, got } = share({ connections: 4 })
    take({ key: '' }, 4)
    take(ada, 2)
    take({ key: '' }, 4)

    for (let count = 0; count < 4; count += 1) leave({ key: '' })
    await nextTurn()

    expect(got).toEqual(['', '', '', '', 'ada', '', '', ''])
  })

  it('503: at once when the queue is full, and after the time limit', async () => {
    vi.useFakeTimers()
    const { enter, leave, waiting } = share({ connections: 1, maxWaiting: 1 })
    await enter(ada)
    const late = enter(grace)
    void late?.catch(() => {})

    expect(() => enter(grace)).toThrow('Overloaded')
    vi.advanceTimersByTime(2000)

    await expect(late).rejects.toMatchObject({ status: 503 })
    expect(waiting()).toBe(0)
    leave(ada)
    expect(enter(grace)).toBeUndefined()
    vi.useRealTimers()
  })

  it('503: when the queue is nearly full, for a party with many waiting; a party with none may wait', async () => {
    const { enter, waiting } = share({ connections: 1, maxWaiting: 100 })
    await enter(ada)
    const waits = Array.from({ length: 100 }, () => enter(ada))

    expect(() => enter(ada)).toThrow('Overloaded')
    waits.push(enter(grace))

    expect(waiting()).toBe(101)
  })

  it('503: for a paused party, also while it waits', async () => {
    let isPaused = false
    const slow = { key: 'slow', isPaused: () => isPaused }
    const { enter, leave } = share({ connections: 1 })
    await enter(slow)
    const next = enter(slow)
    void next?.catch(() => {})

    isPaused = true
    leave(slow)

    await expect(next).rejects.toMatchObject({ status: 503 })
    expect(() => enter(slow)).toThrow('does not read its responses')
    expect(enter(ada)).toBeUndefined()
  })
})

describe('a waiting request', () => {
  const request = { key: 'ada', isRequest: true }

  it('is refused before earlier requests of its party', async () => {
    const { enter, refuseNewest, waiting } = share({ connections: 1 })
    void enter(ada)
    const earlier = enter(request)
    const newest = enter(request)

    expect(refuseNewest('ada')).toBe(true)

    await expect(newest).rejects.toMatchObject({ status: 503 })
    expect(await Promise.race([earlier, nextTurn().then(() => 'waits')])).toBe('waits')
    expect(waiting()).toBe(1)
  })

  it('may be refused; a waiting job of the worker may not', () => {
    const { enter, refuseNewest, waiting } = share({ connections: 1 })
    void enter(ada)
    void enter(ada)

    expect(refuseNewest('ada')).toBe(false)
    expect(refuseNewest('grace')).toBe(false)
    expect(waiting()).toBe(1)
  })
})
