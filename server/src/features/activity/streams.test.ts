import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { openStreams } from './streams.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Event = { seq: number; part: number; type: string; json: string }

/** A fake database with one user's events, which counts reads and fails when told to. */
function eventsOf(userId: string) {
  const state = { events: [] as Event[], reads: 0, parties: new Set<string>(), isFailing: false }
  const ask = async ({ name, values }: { name: string; values: unknown[] }, party?: string) => {
    if (party) state.parties.add(party)
    const last = state.events.at(-1)?.seq ?? 0
    if (name === 'events.head') return { rows: [{ last_event: last }] }
    if (name === 'events.heads') {
      const seen = (values[1] as number[])[0] ?? 0
      return { rows: last > seen ? [{ user_id: userId }] : [] }
    }
    state.reads += 1
    if (state.isFailing) throw new Error('canceling statement due to statement timeout')
    return { rows: state.events.filter(({ seq }) => seq > (values[1] as number)) }
  }
  const db = {
    query: (statement: never) => ask(statement),
    as: (_actor: unknown, party?: { key: string }) => ({
      query: (statement: never) => ask(statement, party?.key),
    }),
  } as unknown as Database
  return { db, state }
}

function reader() {
  const seen = { text: '', isFull: false, isOver: false, isCut: false }
  const stream = {
    begin() {},
    write: (text: string) => void (seen.text += text),
    isFull: () => seen.isFull,
    end: () => void (seen.isOver = true),
    cut: () => void (seen.isCut = true),
    isAllowed: async () => true,
  }
  return { seen, stream }
}

const ada = { userId: 'ada', visitor: '192.0.2.1' }
const start = { seq: 0, part: 0 }
const event = (seq: number): Event => ({ seq, part: 1, type: 'label.created', json: '{}' })

async function openReaders(count = 1) {
  const { db, state } = eventsOf('ada')
  const streams = openStreams(db, { phase: 'serving' }, { error() {} })
  const readers = Array.from({ length: count }, reader)
  for (const { stream } of readers) await streams.open(ada, stream, start)
  await vi.advanceTimersByTimeAsync(0)
  state.reads = 0
  return { state, streams, readers: readers.map(({ seen }) => seen) }
}

describe('streams', () => {
  it('of one user at the same cursor share one read, counted for that user', async () => {
    const { state, readers } = await openReaders(50)
    state.events.push(event(1))

    await vi.advanceTimersByTimeAsync(250)

    expect(state.reads).toBe(1)
    expect([...state.parties]).toEqual(['ada'])
    for (const { text } of readers) expect(text).toContain('id: 1-1')
  })

  it('send keep-alives even while the credential check is slow', async () => {
    const { db } = eventsOf('ada')
    const streams = openStreams(db, { phase: 'serving' }, { error() {} })
    const [slow, other] = [reader(), reader()]
    const isAllowed = vi.fn<() => Promise<boolean>>(() => new Promise(() => {}))
    await streams.open(ada, { ...slow.stream, isAllowed }, start)
    await streams.open(ada, other.stream, start)

    await vi.advanceTimersByTimeAsync(8 * 15_000)

    for (const { seen } of [slow, other]) expect(seen.text.split('still here')).toHaveLength(9)
    expect(isAllowed).toHaveBeenCalledTimes(1)
  })

  it('are ended within a minute after their credential is revoked', async () => {
    const { db } = eventsOf('ada')
    const streams = openStreams(db, { phase: 'serving' }, { error() {} })
    const [revoked, other] = [reader(), reader()]
    await streams.open(ada, { ...revoked.stream, isAllowed: async () => false }, start)
    await streams.open(ada, other.stream, start)

    await vi.advanceTimersByTimeAsync(60_000)

    expect([revoked.seen.isOver, other.seen.isOver]).toEqual([true, false])
  })

  it('back off 1, 2, 4, 8 and 16 seconds after failed reads, and are then ended with a reason', async () => {
    const { state, readers } = await openReaders()
    state.isFailing = true
    state.events.push(event(1))

    const reads: number[] = []
    for (let second = 0; second < 40 && !readers[0]?.isOver; second += 1) {
      const before = state.reads
      await vi.advanceTimersByTimeAsync(1000)
      reads.push(state.reads - before)
    }

    expect(state.reads).toBe(6)
    expect(reads.length).toBeGreaterThan(30)
    expect(readers[0]).toMatchObject({ isOver: true })
    expect(readers[0]?.text).toContain(': ended: the events cannot be read')
  })

  it('resume at their cursor once a read succeeds again', async () => {
    const { state, readers } = await openReaders()
    state.isFailing = true
    state.events.push(event(1))
    await vi.advanceTimersByTimeAsync(500)

    state.isFailing = false
    await vi.advanceTimersByTimeAsync(1500)

    expect(readers[0]?.text).toContain('id: 1-1')
    expect(readers[0]?.isOver).toBe(false)
  })

  it('cause no reads while the client does not read, and are finally disconnected', async () => {
    const { state, readers } = await openReaders()
    const [slow] = readers
    if (slow) slow.isFull = true
    state.events.push(event(1))

    await vi.advanceTimersByTimeAsync(14_000)
    expect([state.reads, slow?.isCut]).toEqual([0, false])
    await vi.advanceTimersByTimeAsync(17_000)

    expect([state.reads, slow?.isCut]).toEqual([0, true])
  })

  it('leave room for other addresses when one address has many', async () => {
    const { streams } = await openReaders(8)

    expect(streams.hasRoom(ada.visitor, 8)).toBe(false)
    expect(streams.hasRoom('192.0.2.2', 8)).toBe(true)
  })
})
