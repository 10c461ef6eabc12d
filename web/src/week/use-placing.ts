// Places tasks of the list on the calendar: dragged to a time, or at the next free one.
import type { ListedTask } from '@daywright/contract'
import type { RefObject } from 'react'
import { placeBlock, type Place } from '../data/actions/blocks.ts'
import { perform } from '../data/perform.ts'
import { windowsOf } from '../data/preferences.ts'
import { now } from '../time/clock.ts'
import { instantAt, plusMinutes } from '../time/zone.ts'
import { toast } from '../ui/toasts.ts'
import { beginDrag } from './drag.ts'
import { colorOf } from './entries.ts'
import type { Grid } from './grid-place.ts'
import { nextFree } from './next-free.ts'
import type { Period } from './use-period.ts'
import type { useWeek } from './use-week.ts'
import { formatRange } from './words.ts'

const usualMinutes = 60
const mostMinutes = 480

/** The unplanned minutes of the task; all of them if everything is planned. */
function minutesToPlace({ id, estimateMinutes }: ListedTask, planned: Map<string, number>) {
  const estimate = estimateMinutes || usualMinutes
  const rest = estimate - (planned.get(id) ?? 0)
  return Math.min(mostMinutes, Math.max(15, rest > 0 ? rest : estimate))
}

export function usePlacing(
  { days, zone, reveal }: Period,
  week: ReturnType<typeof useWeek>,
  grid: RefObject<Grid | null>,
  onChanged: () => void,
) {
  async function place(task: ListedTask, at: Place) {
    const says = `“${task.title}” is at ${formatRange(at, zone)}. Pinned.`
    await perform(placeBlock(task, at, says))
    onChanged()
  }

  return {
    placeNext: (task: ListedTask) => {
      const found = nextFree(minutesToPlace(task, week.planned), now(), {
        blocks: week.upcoming,
        windows: windowsOf(task),
        zone,
      })
      if (!found) return void toast('There is no free time for it in the next four weeks.')
      reveal(found.startAt)
      void place(task, found)
    },

    take: (event: React.PointerEvent, task: ListedTask) => {
      if (!grid.current) return
      beginDrag(event.nativeEvent, grid.current, {
        kind: 'place',
        title: task.title,
        color: colorOf(task),
        minutes: minutesToPlace(task, week.planned),
        onDrop: (span) => {
          const day = days[span.day]
          if (!day) return
          const startAt = instantAt(day, span.start, zone)
          void place(task, { startAt, endAt: plusMinutes(startAt, span.end - span.start) })
        },
      })
    },
  }
}
