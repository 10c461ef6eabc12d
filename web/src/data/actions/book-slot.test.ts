// Booking a slot against the real service: the event, the plan that makes room for it, and undo.
import type { Client } from '@daywright/client'
import type { ListedTimeBlock } from '@daywright/contract'
import { describe, expect, it } from '../../../test/it.ts'
import { plusMinutes } from '../../time/zone.ts'
import { cache } from '../query-client.ts'
import { queries } from '../queries.ts'
import { perform } from '../run-mutation.ts'
import { shownToasts } from '../toasts.ts'
import { undoLast } from '../undo.ts'
import { bookSlot } from './book-slot.ts'

/** Creates and plans a task of an hour, and fills the cache that the page shows. */
async function arrange(client: Client) {
  await client.tasks.create({ title: 'Write', estimateMinutes: 60, autoSplit: false })
  await client.planner.run()
  const range = { from: new Date(), to: plusMinutes(new Date(), 20_160) }
  const stored = async () =>
    (await client.timeBlocks.list(range)).map(({ title, type, startAt, endAt }) => ({
      title,
      type,
      startAt,
      endAt,
    }))
  const query = queries.blocks(range.from, range.to)
  const [planned] = await cache.fetchQuery(query)
  const shown = () => cache.getQueryData<ListedTimeBlock[]>(query.queryKey)
  const countRuns = async () => (await client.planner.runs()).runs.length
  return { planned: planned!, stored, shown, countRuns }
}

describe('booking a slot', () => {
  it('in the time of planned work moves that work, and undo moves it back', async ({
    elsewhere,
  }) => {
    const { planned, stored, shown } = await arrange(elsewhere)
    const before = await stored()
    const { startAt, endAt } = planned

    const outcome = perform(bookSlot('Lunch with Mei', { startAt, endAt }, 'Tuesday'))
    expect(shown()).toMatchObject([{ title: 'Write' }, { title: 'Lunch with Mei', startAt, endAt }])
    expect(await outcome).toMatchObject({ ok: true, answer: { isInTheWay: true } })

    const after = await stored()
    const work = after.find(({ title }) => title === 'Write')
    expect(after).toContainEqual({ title: 'Lunch with Mei', type: 'event', startAt, endAt })
    expect(work?.startAt.getTime()).toBeGreaterThanOrEqual(endAt.getTime())
    expect(shownToasts().at(-1)?.text).toBe(
      'Added “Lunch with Mei” on Tuesday. Your plan has made room for it.',
    )

    await undoLast()
    expect(await stored()).toEqual(before)
  })

  it('in free time does not plan again, and undo deletes the event', async ({ elsewhere }) => {
    const { planned, stored, countRuns } = await arrange(elsewhere)
    const [before, runs] = [await stored(), await countRuns()]
    const place = { startAt: planned.endAt, endAt: plusMinutes(planned.endAt, 30) }

    expect(await perform(bookSlot('Call', place, 'Tuesday'))).toMatchObject({ ok: true })

    expect(await stored()).toEqual([...before, { title: 'Call', type: 'event', ...place }])
    expect(await countRuns()).toBe(runs)
    expect(shownToasts().at(-1)?.text).toBe('Added “Call” on Tuesday.')
    await undoLast()
    expect(await stored()).toEqual(before)
  })
})
