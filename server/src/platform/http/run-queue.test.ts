import { describe, expect, it } from 'vitest'
import { createRunQueue } from './run-queue.ts'

/** Work that records that it has started, and ends when `end` is called. */
function piece() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const state = { started: false, end: resolve }
  return {
    state,
    work: () => {
      state.started = true
      return promise
    },
  }
}

const bounds = { waitingPerUser: 200, waitingInAll: 1000 }

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('the queue for long operations', () => {
  it('runs the work of one user one at a time, in order', async () => {
    const { enqueue } = createRunQueue({ atOnce: 5, ...bounds })
    const order: number[] = []

    await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        enqueue('ada', async () => {
          order.push(number)
          await nextTurn()
          order.push(number)
        }),
      ),
    )

    expect(order).toEqual(Array.from({ length: 120 }, (_, index) => Math.floor(index / 2)))
  })

  it('runs the work of different users concurrently, up to the limit', async () => {
    const { enqueue, load } = createRunQueue({ atOnce: 2, ...bounds })
    const pieces = ['ada', 'grace', 'mary'].map((user) => ({ user, ...piece() }))
    const all = pieces.map(({ user, work }) => enqueue(user, work))
    await nextTurn()

    expect(pieces.map(({ state }) => state.started)).toEqual([true, true, false])
    expect(load()).toEqual({ running: 2, waiting: 1, users: 3 })
    pieces[0]?.state.end()
    await nextTurn()
    expect(pieces[2]?.state.started).toBe(true)
    for (const { state } of pieces) state.end()
    await Promise.all(all)
    expect(load()).toEqual({ running: 0, waiting: 0, users: 0 })
  })

  it('continues after a failure', async () => {
    const { enqueue, load } = createRunQueue({ atOnce: 1, ...bounds })

    const failed = enqueue('ada', () => Promise.reject(new Error('No plan')))
    const next = enqueue('ada', () => Promise.resolve('a plan'))

    await expect(failed).rejects.toThrow('No plan')
    expect(await next).toBe('a plan')
    expect(load()).toEqual({ running: 0, waiting: 0, users: 0 })
  })

  it('503: at once when it is full', async () => {
    const { enqueue } = createRunQueue({ atOnce: 1, waitingPerUser: 2, waitingInAll: 1000 })
    const first = piece()
    const running = [enqueue('ada', first.work)]
    for (let count = 0; count < 2; count += 1) running.push(enqueue('ada', async () => {}))

    await expect(enqueue('ada', async () => {})).rejects.toMatchObject({ status: 503 })

    first.state.end()
    await Promise.all(running)
  })

  it('never exceeds the limit, also when work arrives as other work ends', async () => {
    const { enqueue, load } = createRunQueue({ atOnce: 1, ...bounds })
    const first = piece()
    let most = 0
    const noteRunning = async () => {
      most = Math.max(most, load().running)
      await nextTurn()
    }
    const all = [enqueue('ada', first.work), enqueue('grace', noteRunning)]
    await nextTurn()

    first.state.end()
    for (let turn = 0; turn < 10; turn += 1) {
      await Promise.resolve()
      all.push(enqueue(`late ${turn}`, noteRunning))
      most = Math.max(most, load().running)
    }
    await Promise.all(all)

    expect(most).toBe(1)
  })

  it('serves users in turn, however much work of one user waits', async () => {
    const { enqueue } = createRunQueue({ atOnce: 1, ...bounds })
    const order: string[] = []
    const run = (user: string) => enqueue(user, async () => void order.push(user))

    await Promise.all([...Array.from({ length: 100 }, () => run('ada')), run('grace'), run('mary')])

    expect(order.slice(0, 4)).toEqual(['ada', 'grace', 'mary', 'ada'])
  })

  it('503: when it is nearly full, for a user with much waiting work; a user with none may still wait', async () => {
    const { enqueue, load } = createRunQueue({ atOnce: 1, waitingPerUser: 100, waitingInAll: 100 })
    const first = piece()
    const waiting = [enqueue('ada', first.work)]
    for (let count = 0; count < 100; count += 1) waiting.push(enqueue('ada', async () => {}))
    await nextTurn()

    await expect(enqueue('ada', async () => {})).rejects.toMatchObject({ status: 503 })
    waiting.push(enqueue('grace', async () => {}))
    expect(load().waiting).toBe(101)

    first.state.end()
    await Promise.all(waiting)
  })
})
