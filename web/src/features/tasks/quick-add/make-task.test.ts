import { parseQuickAdd } from '@daywright/quick-add'
import { describe, expect, it } from 'vitest'
import { makeTask } from './make-task.ts'

const names = { spaces: [], projects: [], labels: [] }
const context = { now: new Date('2026-11-16T08:00:00Z'), zone: 'UTC', locale: 'en-GB', names }
const sessions = { minSessionMinutes: 30, maxSessionMinutes: 120, cooldownMinutes: 10 }

describe('the task of a line', () => {
  it('has the same session lengths as in the API, unless its place has others', async () => {
    const line = parseQuickAdd('Write the report 3h', context)

    expect(await makeTask(line, {})).toEqual({
      title: 'Write the report',
      estimateMinutes: 180,
      ...sessions,
    })
    expect(await makeTask(line, { maxSessionMinutes: 60 })).toMatchObject({ maxSessionMinutes: 60 })
  })
})
