import { describe, expect, it } from 'vitest'
import { keptBlocks } from './hours.ts'

const time = new Date('2026-11-16T12:00:00Z')

describe('the blocks that the planner does not move', () => {
  const block = {
    source: 'auto',
    status: 'scheduled',
    locked: false,
    startAt: new Date('2026-11-16T13:00:00Z'),
    endAt: new Date('2026-11-16T14:00:00Z'),
  } as const
  const past = {
    startAt: new Date('2026-11-16T10:00:00Z'),
    endAt: new Date('2026-11-16T11:00:00Z'),
  }

  it.for([
    ['a future block of the planner', block, false],
    ['a missed block of the planner', { ...block, ...past }, false],
    ['a cancelled block', { ...block, source: 'manual', status: 'cancelled' }, false],
    ['a running block', { ...block, startAt: past.startAt }, true],
    ['a started block', { ...block, status: 'in_progress' }, true],
    ['a completed block', { ...block, ...past, status: 'completed' }, true],
    ['a block placed by hand', { ...block, source: 'manual' }, true],
    ['a locked block', { ...block, locked: true }, true],
  ] as const)('%s', ([, each, isKept]) => {
    expect(keptBlocks([each], time).length === 1).toBe(isKept)
  })
})
