import { describe, expect, it } from 'vitest'
import { besideEvents, columnsOf, type Entry } from './entries.ts'
import { segmentsOf } from './segments.ts'

const zone = 'Europe/Berlin'
const days = [Temporal.PlainDate.from('2026-11-17')]
const at = (time: string) => new Date(`2026-11-17T${time}:00Z`)

const entry = (id: string, from: string, to: string, more: Partial<Entry> = {}) =>
  ({ id, startAt: at(from), endAt: at(to), ...more }) as Entry

const event = (id: string, from: string, to: string) => ({
  id,
  startAt: at(from),
  endAt: at(to),
})

/** `Write 1/2`: the first of two lanes. */
function lanesOf(entries: Entry[], events: ReturnType<typeof event>[]) {
  const laid = besideEvents(
    columnsOf(entries, days, zone)[0] ?? [],
    segmentsOf(events, days, zone)[0] ?? [],
  )
  return [...laid.blocks, ...laid.events].map(
    ({ item, lane, lanes }) => `${item.id} ${lane + 1}/${lanes}`,
  )
}

describe('an event of another calendar', () => {
  it('is beside the blocks that it overlaps, whichever begins first', () => {
    expect(
      lanesOf(
        [entry('Write', '09:00', '10:30'), entry('Read', '14:00', '15:00')],
        [event('Board meeting', '10:00', '11:00'), event('Call', '13:30', '15:00')],
      ),
    ).toEqual(['Write 1/2', 'Read 2/2', 'Board meeting 2/2', 'Call 1/2'])
  })

  it('has the full width otherwise, and so have the blocks', () => {
    expect(
      lanesOf([entry('Write', '09:00', '10:00')], [event('Board meeting', '10:00', '11:00')]),
    ).toEqual(['Write 1/1', 'Board meeting 1/1'])
  })

  it('is beside a block that a plan removes, which takes no lane of other blocks', () => {
    const leaves = { change: 'leaves' as const }
    expect(
      lanesOf(
        [entry('Left', '09:00', '10:00', leaves), entry('Gone', '12:00', '13:00', leaves)],
        [event('Board meeting', '09:00', '10:00')],
      ),
    ).toEqual(['Gone 1/1', 'Left 1/2', 'Board meeting 2/2'])
  })
})
