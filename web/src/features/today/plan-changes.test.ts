import type { FullPlannerRun, ListedTimeBlock, PlannerRun } from '@daywright/contract'
import { describe, expect, it } from 'vitest'
import { planChangesOf } from './plan-changes.ts'

const zone = 'Europe/Berlin'
const now = new Date('2026-11-17T08:00:00Z')
const at = (time: string) => new Date(`2026-11-17T${time}:00Z`)
const [nine, ten, eleven, noon] = [at('08:00'), at('09:00'), at('10:00'), at('11:00')]

const planned = (taskId: string, startAt: Date, endAt: Date) => ({
  taskId,
  title: taskId,
  startAt,
  endAt,
  defended: false,
  explanation: '',
})

type Made = Omit<Partial<FullPlannerRun>, 'blocks'> & { blocks?: Partial<FullPlannerRun['blocks']> }

const runOf = ({ blocks, ...more }: Made) =>
  ({
    id: 'automatic',
    atRisk: [],
    ...more,
    blocks: { unchanged: [], moved: [], added: [], removed: [], ...blocks },
  }) as unknown as FullPlannerRun

const applied = (id: string, atRiskTaskIds: string[]) =>
  ({ id, state: 'applied', result: { atRiskTaskIds } }) as unknown as PlannerRun

const block = (taskId: string, startAt: Date) =>
  ({ taskId, startAt, status: 'scheduled' }) as ListedTimeBlock

const textsOf = (
  run: FullPlannerRun,
  blocks: ListedTimeBlock[],
  runs = [applied('automatic', [])],
) => planChangesOf({ run, runs, blocks, zone, now }).map(({ title, text }) => `${title}: ${text}`)

describe('the changes of an automatic run', () => {
  it('are moved and new blocks', () => {
    const run = runOf({
      blocks: {
        moved: [{ ...planned('Write', ten, eleven), from: { startAt: nine, endAt: ten } }],
        added: [planned('Read', eleven, noon)],
      },
    })

    expect(textsOf(run, [block('Write', ten), block('Read', eleven)])).toEqual([
      'Write: Today 9:00 → Today 10:00',
      'Read: new, today 11:00',
    ])
  })

  it('are not listed once the blocks are elsewhere', () => {
    const run = runOf({
      blocks: {
        moved: [{ ...planned('Write', ten, eleven), from: { startAt: nine, endAt: ten } }],
        added: [planned('Read', eleven, noon)],
      },
    })

    expect(textsOf(run, [block('Write', ten), block('Read', noon)])).toEqual([
      'Write: Today 9:00 → Today 10:00',
    ])
  })

  it('say how long a block lasts that starts as before', () => {
    const from = { startAt: nine, endAt: eleven }
    const run = runOf({ blocks: { moved: [{ ...planned('Write', nine, ten), from }] } })

    expect(textsOf(run, [block('Write', nine)])).toEqual(['Write: Today 9:00, until 11:00 → 10:00'])
  })

  it('do not repeat blocks that replace missed ones', () => {
    const missed = [{ taskId: 'Write', blockId: 'b', startAt: nine, endAt: ten }]
    const run = runOf({ missed, blocks: { added: [planned('Write', ten, eleven)] } })

    expect(textsOf(run, [block('Write', ten)])).toEqual([])
  })

  it('include only the tasks that it made late and that are still late', () => {
    const late = (taskId: string) => ({ taskId, text: 'Overdue.', proof: null })
    const run = runOf({
      atRisk: ['Early', 'Newly', 'Solved'].map(late),
      blocks: { unchanged: ['Early', 'Newly', 'Solved'].map((id) => planned(id, nine, ten)) },
    })
    const runs = [
      applied('mine', ['Early', 'Newly']),
      applied('automatic', ['Early', 'Newly', 'Solved']),
      applied('before', ['Early']),
    ]

    expect(textsOf(run, [], runs)).toEqual(['Newly: Overdue.'])
  })
})
