import { onTestFinished } from 'vitest'
import { describe, expect, it } from 'vitest'
import { type Owner, startReaders } from './readers.ts'

const module = new URL('../../../test/reader/tasks.ts', import.meta.url)
const owner = { userId: 'ada' }

type Options = { onUse?: Parameters<typeof startReaders>[2]; cpuMs?: number }

function newReaders({ onUse, cpuMs = 10_000 }: Options = {}) {
  const now = () => new Date('2026-03-02T08:00:00Z')
  const readers = startReaders(module, now, onUse, { heapMb: 64, cpuMs })
  onTestFinished(() => readers.stop())
  const run = (task: string, argument?: unknown, parts?: Uint8Array[], of: Owner = owner) =>
    readers.run(of, { task, argument }, parts)
  return { ...readers, run }
}

describe('a reader', () => {
  it('runs a task, and is used again', async () => {
    const { run } = newReaders()
    const parts = [Buffer.from('one'), Buffer.alloc(3_000_000, 1)]
    const first = await run('echo', { some: new Map([['a', 1]]) }, parts)
    const second = await run('echo')

    expect(first).toMatchObject({
      kind: 'done',
      value: { argument: { some: new Map([['a', 1]]) } },
      parts,
    })
    expect((second as typeof first & { value: unknown }).value).toMatchObject({
      pid: (first as { value: { pid: number } }).value.pid,
    })
  })

  it.for([
    ['fail', /Not understood/],
    ['exit', /It ended with 3/],
    ['fill', /It ended with SIG|It ended with \d/],
  ] as const)('that ends or throws costs one task: %s', async ([task, reason]) => {
    const { run } = newReaders()

    expect(await run(task)).toEqual({ kind: 'died', reason: expect.stringMatching(reason) })
    expect(await run('echo')).toMatchObject({ kind: 'done' })
  })

  it('is ended when it has used too much processor time', async () => {
    const { run } = newReaders({ cpuMs: 1000 })

    expect(await run('loop')).toEqual({ kind: 'too-expensive' })
    expect(await run('echo')).toMatchObject({ kind: 'done' })
  })

  it('may not write files, start programs, connect, or see secrets', async () => {
    process.env.AUTH_SECRET = 'secret'
    onTestFinished(() => void delete process.env.AUTH_SECRET)
    const { run } = newReaders()

    expect(await run('misbehave')).toMatchObject({
      value: {
        file: 'ERR_ACCESS_DENIED',
        program: 'ERR_ACCESS_DENIED',
        environment: [],
      },
    })
    await run('connect')
    await expect
      .poll(() => run('sayRefusal'))
      .toMatchObject({ value: expect.stringContaining('restricted') })
  })
})

describe('readers', () => {
  it('read for several users at once, but not for one', async () => {
    const { run } = newReaders()
    const own = await Promise.all([run('spend', 200), run('spend', 200)])
    const others = await Promise.all([
      run('spend', 200),
      run('spend', 200, [], { userId: 'grace' }),
    ])

    const pids = (outcomes: typeof own) =>
      new Set(outcomes.map((outcome) => (outcome as { value: unknown }).value))
    expect(pids(own).size).toBe(1)
    expect(pids(others).size).toBe(2)
  })

  it('report what each task has used', async () => {
    const uses: { cpuMs: number; bytes: number }[] = []
    const { run } = newReaders({ onUse: (_owner, use) => void uses.push(use) })
    await run('spend', 100, [Buffer.alloc(7)])

    expect(uses).toEqual([{ cpuMs: expect.any(Number), bytes: 7 }])
    expect(uses[0]!.cpuMs).toBeGreaterThanOrEqual(100)
  })

  it('refuse work after they have been stopped', async () => {
    const { run, stop } = newReaders()
    await run('echo')
    stop()

    expect(await run('echo')).toMatchObject({ kind: 'busy' })
  })
})
