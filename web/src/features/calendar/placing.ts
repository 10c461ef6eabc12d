// Places tasks of the list on the calendar: dragged to a time, or at the next free one.
import type { ListedTask } from '@daywright/contract'
import type { RefObject } from 'react'
import { placeBlock, type Place } from '../../data/actions/blocks.ts'
import { perform } from '../../data/run-mutation.ts'
import { hoursOf } from '../../data/hours.ts'
import { now } from '../../time/clock.ts'
import { instantAt, plusMinutes } from '../../time/zone.ts'
import { toast } from '../../data/toasts.ts'
import { lateText } from '../blocks/lateness.ts'
import { beginDrag } from './drag.ts'
import type { Span } from './drag-subject.ts'
import { colorOf } from './entries.ts'
import type { Grid } from './grid-place.ts'
import { nextFree } from '../blocks/next-free.ts'
import type { Period } from './use-period.ts'
import type { useWeek } from './use-week.ts'
import { formatRange } from './format-range.ts'

const usualMinutes = 60
const mostMinutes = 480

/** The unplanned minutes of the task; all of them if everything is planned. */
function minutesToPlace({ id, estimateMinutes }: ListedTask, planned: Map<string, number>) {
  const estimate = estimateMinutes || usualMinutes
  const rest = estimate - (planned.get(id) ?? 0)
  return Math.min(mostMinutes, Math.max(15, rest > 0 ? rest : estimate))
}

export function createPlacing(
  { days, zone, reveal }: Period,
  week: ReturnType<typeof useWeek>,
  grid: RefObject<Grid | null>,
  onChanged: () => void,
) {
  async function place(task: ListedTask, at: Place) {
    const late = lateText(at.endAt, task.dueAt, zone)
    const says = `“${task.title}” is at ${formatRange(at, zone)}. ${late ? `${late}.` : 'Pinned.'}`
    await perform(placeBlock(task, at, says))
    onChanged()
  }

  function placeAt({ day: index, start, end }: Span): Place | undefined {
    const day = days[index]
    if (!day) return undefined
    const startAt = instantAt(day, start, zone)
    return { startAt, endAt: plusMinutes(startAt, end - start) }
  }

  async function placeNext(task: ListedTask) {
    const time = now()
    const found = nextFree(minutesToPlace(task, week.planned), time, {
      blocks: week.upcoming,
      hours: await hoursOf(task.id, week.upcoming, time),
      zone,
    })
    if (!found) return void toast('There is no free time for it in the next four weeks.')
    reveal(found.startAt)
    await place(task, found)
  }

  return {
    placeNext: (task: ListedTask) => void placeNext(task),

    take: (event: React.PointerEvent, task: ListedTask) => {
      if (!grid.current) return
      beginDrag(event.nativeEvent, grid.current, {
        kind: 'place',
        title: task.title,
        color: colorOf(task),
        minutes: minutesToPlace(task, week.planned),
        warns: (span) => lateText(placeAt(span)?.endAt ?? now(), task.dueAt, zone),
        onDrop: (span) => {
          const at = placeAt(span)
          if (at) void place(task, at)
        },
      })
    },
  }
}
