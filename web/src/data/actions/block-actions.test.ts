// The actions on a block against the real service: the optimistic update, the result, and undo.
import { describe, expect, it } from '../../../test/it.ts'
import type { Client } from '@daywright/client'
import type { ListedTimeBlock } from '@daywright/contract'
import { plusMinutes } from '../../time/zone.ts'
import type { Action } from '../action.ts'
import { cache } from '../query-client.ts'
import { queries } from '../queries.ts'
import { perform } from '../run-mutation.ts'
import { shownToasts } from '../toasts.ts'
import { undoLast } from '../undo.ts'
import { completeBlock, extendBlock, skipBlock, startBlock, stopBlock } from './block-actions.ts'
import { finishTasks } from './change-tasks.ts'
import { decideOnMissed } from './missed-blocks.ts'

const minutesFromNow = (minutes: number) => plusMinutes(new Date(), minutes)

/** Creates a task with a block, and fills the cache that the page shows. */
async function arrange({ tasks, timeBlocks }: Client, from = 120, to = 180) {
  const task = await tasks.create({ title: 'Write', estimateMinutes: 60 })
  const startAt = minutesFromNow(from)
  const { id } = await timeBlocks.create({
    taskId: task.id,
    startAt,
    endAt: plusMinutes(startAt, to - from),
  })
  const range = queries.blocks(minutesFromNow(-2880), minutesFromNow(20_160))
  await cache.fetchQuery(queries.openTasks())
  await cache.fetchQuery(queries.missedBlocks())
  await cache.fetchQuery(range)
  const shown = () =>
    cache.getQueryData<ListedTimeBlock[]>(range.queryKey)?.find((each) => each.id === id)
  return { task, block: shown()!, shown, stored: () => timeBlocks.get(id) }
}

async function performOk<Answer>(action: Action<Answer>, atOnce: () => void) {
  const outcome = perform(action)
  atOnce()
  expect(await outcome).toMatchObject({ ok: true })
}

describe('a block', () => {
  it('starts now, and undo puts it back', async ({ elsewhere }) => {
    const { block, shown, stored } = await arrange(elsewhere)

    await performOk(startBlock(block), () =>
      expect(shown()).toMatchObject({ status: 'in_progress' }),
    )

    const started = await stored()
    expect(started).toMatchObject({ status: 'in_progress' })
    expect(started.startAt.getTime()).toBeLessThanOrEqual(Date.now() + 1000)
    expect(started.endAt.getTime() - started.startAt.getTime()).toBe(3_600_000)
    await undoLast()
    expect(await stored()).toMatchObject({
      status: 'scheduled',
      startAt: block.startAt,
      endAt: block.endAt,
    })
  })

  it('stops now', async ({ elsewhere }) => {
    const { block, shown, stored } = await arrange(elsewhere)
    await perform(startBlock(block))

    await performOk(stopBlock(shown()!), () =>
      expect(shown()).toMatchObject({ status: 'completed' }),
    )

    const stopped = await stored()
    expect(stopped.status).toBe('completed')
    expect(stopped.endAt.getTime()).toBeLessThan(block.startAt.getTime())
  })

  it('is extended, and undo shortens it', async ({ elsewhere }) => {
    const { block, shown, stored } = await arrange(elsewhere)
    const endAt = plusMinutes(block.endAt, 15)

    await performOk(extendBlock(block, 15), () => expect(shown()).toMatchObject({ endAt }))

    expect(await stored()).toMatchObject({ endAt })
    await undoLast()
    expect(await stored()).toMatchObject({ endAt: block.endAt })
  })

  it('is skipped and planned again, and undo restores it', async ({ elsewhere }) => {
    const { task, block, shown, stored } = await arrange(elsewhere)
    const until = minutesFromNow(1440)

    await performOk(skipBlock(block, until), () => expect(shown()).toBeUndefined())

    expect(await stored()).toMatchObject({ status: 'cancelled', cancelReason: 'skipped' })
    expect((await elsewhere.tasks.get(task.id)).startAfter).toEqual(until)
    expect(shownToasts().at(-1)?.text).toMatch(/“Write” is now planned for/)
    await undoLast()
    expect(await stored()).toMatchObject({ status: 'scheduled', startAt: block.startAt })
    expect((await elsewhere.tasks.get(task.id)).startAfter).toBe(null)
  })

  it('that is the last of its task offers to complete the task', async ({ elsewhere }) => {
    const { task, block } = await arrange(elsewhere)

    await perform(completeBlock(block))

    const [toast] = shownToasts()
    expect(toast?.text).toBe('That was the last session of “Write”.')
    expect(toast?.actions?.map(({ label }) => label)).toEqual(['Complete task', 'Undo'])
    toast?.actions?.[0]?.run()
    await expect.poll(async () => (await elsewhere.tasks.get(task.id)).status).toBe('completed')
  })
})

describe('the toast of a completed block', () => {
  it('names no later block that has been cancelled since another range was shown', async ({
    elsewhere,
  }) => {
    const { task, block } = await arrange(elsewhere)
    const later = await elsewhere.timeBlocks.create({
      taskId: task.id,
      startAt: minutesFromNow(300),
      endAt: minutesFromNow(360),
    })
    const earlierShown = queries.blocks(minutesFromNow(0), minutesFromNow(1440))
    await cache.fetchQuery(earlierShown)
    await cache.invalidateQueries({ queryKey: earlierShown.queryKey, refetchType: 'none' })
    await elsewhere.timeBlocks.delete(later.id)

    await perform(completeBlock(block))

    const [toast] = shownToasts()
    expect(toast?.text).toBe('That was the last session of “Write”.')
  })

  it('names a later block outside of the shown range', async ({ elsewhere }) => {
    const { task, block } = await arrange(elsewhere)
    const startAt = minutesFromNow(21_000)
    await elsewhere.timeBlocks.create({
      taskId: task.id,
      startAt,
      endAt: plusMinutes(startAt, 60),
    })
    await cache.fetchQuery(queries.blocks(minutesFromNow(20_160), minutesFromNow(40_000)))

    await perform(completeBlock(block))

    expect(shownToasts()[0]?.text).toMatch(/^Session done. “Write” continues: /)
  })
})

describe('a completed task', () => {
  it('removes its planned blocks immediately, and undo restores them', async ({ elsewhere }) => {
    const task = await elsewhere.tasks.create({ title: 'Write', estimateMinutes: 60 })
    await elsewhere.planner.run()
    const [full] = await cache.fetchQuery(queries.openTasks())
    const range = queries.blocks(new Date(), minutesFromNow(20_160))
    expect(await cache.fetchQuery(range)).not.toEqual([])
    const planned = () =>
      elsewhere.timeBlocks.list({ from: new Date(), to: minutesFromNow(20_160) })

    await performOk(finishTasks([full!], 'complete'), () =>
      expect(cache.getQueryData(range.queryKey)).toEqual([]),
    )

    expect(await planned()).toEqual([])
    await undoLast()
    expect(await elsewhere.tasks.get(task.id)).toMatchObject({ status: 'todo' })
    expect(await planned()).toMatchObject([{ taskId: task.id, status: 'scheduled' }])
  })
})

describe('a missed block', () => {
  it.for([
    ['plan-again', { status: 'cancelled', cancelReason: 'missed' }],
    ['done', { status: 'completed' }],
    ['drop', { status: 'cancelled', cancelReason: 'skipped' }],
  ] as const)('%s: leaves the list until undo', async ([action, after], { elsewhere }) => {
    const { block, stored } = await arrange(elsewhere, -120, -60)
    expect(await elsewhere.timeBlocks.missed()).toMatchObject([{ id: block.id }])

    expect(await perform(decideOnMissed([block], action))).toMatchObject({ ok: true })

    expect(await stored()).toMatchObject(after)
    expect(await elsewhere.timeBlocks.missed()).toEqual([])
    await undoLast()
    expect(await stored()).toMatchObject({ status: 'scheduled' })
    expect(await elsewhere.timeBlocks.missed()).toMatchObject([{ id: block.id }])
  })
})
