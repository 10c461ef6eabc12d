import { realIdOf } from '../../data/provisional-ids.ts'
import type { FullPlannerRun, ListedTimeBlock } from '@daywright/contract'
import { useMemo } from 'react'
import { useNow } from '../../time/clock.ts'
import type { Zone } from '../../time/zone.ts'
import { useMissed } from '../blocks/missed.ts'
import { columnsOf, entriesOf } from './entries.ts'
import type { useWeek } from './use-week.ts'

/** The blocks of the shown days as the grid draws them, with the changes of a previewed plan. */
export function useEntries(
  week: ReturnType<typeof useWeek>,
  run: FullPlannerRun | undefined,
  days: Temporal.PlainDate[],
  zone: Zone,
) {
  const missed = useMissed(week.blocks)
  const minute = Math.floor(useNow().getTime() / 60_000) * 60_000
  const entries = useMemo(
    () => entriesOf(withMissed(week.blocks, missed), week.events, week.byId, run, new Date(minute)),
    [week.blocks, missed, week.events, week.byId, run, minute],
  )
  return {
    columns: useMemo(() => columnsOf(entries, days, zone), [entries, days, zone]),
    entryOf: (id: string | undefined) =>
      entries.find((entry) => entry.id === id || (id && entry.id === realIdOf(id))),
  }
}

/** The blocks of the calendar do not include those that a run has cancelled as missed. */
const withMissed = (blocks: ListedTimeBlock[], missed: ListedTimeBlock[]) => [
  ...new Map([...missed, ...blocks].map((block) => [block.id, block])).values(),
]
