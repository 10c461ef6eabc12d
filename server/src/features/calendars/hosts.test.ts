import { describe, expect, it } from 'vitest'
import { createHostLimiter } from './hosts.ts'

const at = (ms: number) => new Date(1_800_000_000_000 + ms)
const granted = { leave: expect.any(Function) }

/** Enters and leaves at once; returns 0, or how many milliseconds to wait instead. */
function tryHost(hosts: ReturnType<typeof createHostLimiter>, userId: string, ms: number) {
  const place = hosts.enter('calendar.example', userId, at(ms))
  if ('waitMs' in place) return place.waitMs
  place.leave()
  return 0
}

describe('one host', () => {
  it('gets one request a second, whichever user sends it', () => {
    const hosts = createHostLimiter()
    expect(tryHost(hosts, 'ada', 0)).toBe(0)
    expect(tryHost(hosts, 'grace', 400)).toBe(600)
    expect(tryHost(hosts, 'grace', 999)).toBeGreaterThan(0)
    expect(tryHost(hosts, 'grace', 1000)).toBe(0)
  })

  it('gets two requests at a time', () => {
    const hosts = createHostLimiter()
    const first = hosts.enter('calendar.example', 'ada', at(0))
    expect(first).toEqual(granted)
    expect(hosts.enter('calendar.example', 'grace', at(1000))).toEqual(granted)
    expect(hosts.enter('calendar.example', 'alan', at(2000))).toEqual({ waitMs: 1000 })
    if ('leave' in first) {
      first.leave()
      first.leave()
    }
    expect(hosts.enter('calendar.example', 'alan', at(3000))).toEqual(granted)
    expect(hosts.enter('calendar.example', 'alan', at(4000))).toEqual({ waitMs: 1000 })
  })

  it('does not delay requests to another host', () => {
    const hosts = createHostLimiter()
    expect(hosts.enter('one.example', 'ada', at(0))).toEqual(granted)
    expect(hosts.enter('two.example', 'ada', at(0))).toEqual(granted)
  })
})

describe('a host that asks to wait', () => {
  it('gets no request of that user meanwhile, for at most six hours', () => {
    const hosts = createHostLimiter()
    hosts.rest('calendar.example', 'ada', at(0), 60)
    expect(tryHost(hosts, 'ada', 30_000)).toBe(30_000)
    expect(tryHost(hosts, 'ada', 60_000)).toBe(0)
    hosts.rest('calendar.example', 'ada', at(60_000), 1e9)
    expect(tryHost(hosts, 'ada', 60_000)).toBe(6 * 3_600_000)
  })

  it('gets requests of other users', () => {
    const hosts = createHostLimiter()
    tryHost(hosts, 'ada', 0)
    hosts.rest('calendar.example', 'ada', at(0), 3600)
    hosts.rest('calendar.example', 'ada', at(500), 3600)
    expect(tryHost(hosts, 'grace', 1000)).toBe(0)
  })

  it('gets no request of anyone once it has asked two users, until the first of them may go on', () => {
    const hosts = createHostLimiter()
    hosts.rest('calendar.example', 'ada', at(0), 3600)
    hosts.rest('calendar.example', 'grace', at(1000), 60)
    expect(tryHost(hosts, 'alan', 1000)).toBe(60_000)
    expect(tryHost(hosts, 'alan', 61_000)).toBe(0)
    expect(tryHost(hosts, 'ada', 62_000)).toBe(3_538_000)
  })

  it('gets requests of other users if it asked the second user after the first wait was over', () => {
    const hosts = createHostLimiter()
    hosts.rest('calendar.example', 'ada', at(0), 60)
    hosts.rest('calendar.example', 'grace', at(60_000), 60)
    expect(tryHost(hosts, 'alan', 60_000)).toBe(0)
  })
})

describe('users who wait for one host', () => {
  it('get turns in the order they came, one each', () => {
    const hosts = createHostLimiter()
    expect(tryHost(hosts, 'first', 0)).toBe(0)
    expect(tryHost(hosts, 'ada', 0)).toBe(1000)
    expect(tryHost(hosts, 'grace', 0)).toBe(2000)
    // A user who has a turn already does not get a second one.
    expect(tryHost(hosts, 'ada', 0)).toBe(3000)
    expect(tryHost(hosts, 'alan', 0)).toBe(3000)
    expect(tryHost(hosts, 'ada', 1000)).toBe(0)
    expect(tryHost(hosts, 'grace', 2000)).toBe(0)
    expect(tryHost(hosts, 'alan', 3000)).toBe(0)
  })

  it('are still served one a second if they come late', () => {
    const hosts = createHostLimiter()
    tryHost(hosts, 'first', 0)
    tryHost(hosts, 'ada', 0)
    tryHost(hosts, 'grace', 0)
    expect(tryHost(hosts, 'ada', 5000)).toBe(0)
    expect(tryHost(hosts, 'grace', 5000)).toBe(1000)
    expect(tryHost(hosts, 'grace', 6000)).toBe(0)
  })

  it('lose a turn that they do not take', () => {
    const hosts = createHostLimiter()
    tryHost(hosts, 'first', 0)
    tryHost(hosts, 'ada', 0)
    expect(tryHost(hosts, 'first', 31_500)).toBe(0)
    expect(tryHost(hosts, 'ada', 31_500)).toBe(1000)
  })

  it('do not wait for all the calendars of another user', () => {
    const hosts = createHostLimiter()
    const due = new Map([
      ['greedy', 25],
      ['modest', 1],
    ])
    const served: string[] = []
    // Both try as often as they may; the greedy user is always first.
    for (let ms = 0; served.length < 26; ms += 100) {
      for (const [userId, left] of due) {
        for (let calendar = 0; calendar < left; calendar += 1) {
          if (tryHost(hosts, userId, ms) > 0) continue
          served.push(userId)
          due.set(userId, (due.get(userId) ?? 0) - 1)
        }
      }
    }
    expect(served.indexOf('modest')).toBeLessThan(3)
    expect(served.filter((userId) => userId === 'greedy')).toHaveLength(25)
  })
})
