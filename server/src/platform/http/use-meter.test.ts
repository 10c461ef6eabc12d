import { describe, expect, it } from 'vitest'
import { createUseMeter } from './use-meter.ts'

describe('the use meter', () => {
  it('adds up the time and bytes of each user and calendar, most time first', () => {
    const meter = createUseMeter()
    meter.add({ userId: 'ada', name: 'work' }, { cpuMs: 10, bytes: 100 })
    meter.add({ userId: 'grace', name: 'home' }, { cpuMs: 15, bytes: 1 })
    meter.add({ userId: 'ada', name: 'work' }, { cpuMs: 10, bytes: 100 })
    meter.add({ userId: 'ada' }, { cpuMs: 1, bytes: 2 })

    expect(meter.list()).toEqual([
      { userId: 'ada', name: 'work', cpuMs: 20, bytes: 200 },
      { userId: 'grace', name: 'home', cpuMs: 15, bytes: 1 },
      { userId: 'ada', name: 'other', cpuMs: 1, bytes: 2 },
    ])
  })

  it('lists the ten that used the most, and forgets those that used the least', () => {
    const meter = createUseMeter()
    meter.add({ userId: 'busy', name: 'a' }, { cpuMs: 5000, bytes: 0 })
    for (let at = 0; at < 2000; at += 1) {
      meter.add({ userId: `user-${at}`, name: 'a' }, { cpuMs: at, bytes: 0 })
    }

    const listed = meter.list()
    expect(listed).toHaveLength(10)
    expect(listed[0]?.userId).toBe('busy')
    meter.add({ userId: 'user-0', name: 'a' }, { cpuMs: 4000, bytes: 7 })
    expect(meter.list()[1]).toEqual({ userId: 'user-0', name: 'a', cpuMs: 4000, bytes: 7 })
  })
})
