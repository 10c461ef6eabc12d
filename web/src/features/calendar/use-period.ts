import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useNow } from '../../time/clock.ts'
import { useZone } from '../../data/profile.ts'
import { dayOf } from '../../time/zone.ts'
import { useNarrow } from '../../ui/use-media.ts'
import type { CalendarSearch, View } from './calendar-search.ts'
import { daysOf, shift } from './period.ts'

const route = getRouteApi('/app/calendar')

export type Period = ReturnType<typeof usePeriod>

/** The shown period from the URL, and functions to change it. */
export function usePeriod() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const zone = useZone()
  const isNarrow = useNarrow()
  const todayName = dayOf(useNow(), zone).toString()
  const today = useMemo(() => Temporal.PlainDate.from(todayName), [todayName])
  const view: View = isNarrow ? 'day' : (search.view ?? 'week')
  const anchor = search.w ?? todayName
  const days = useMemo(() => daysOf(view, Temporal.PlainDate.from(anchor)), [view, anchor])

  /** Another period is a new history entry; opening a block is not. */
  const set = (changes: { [Name in keyof CalendarSearch]: CalendarSearch[Name] | undefined }) =>
    void navigate({
      search: (former: CalendarSearch) => ({ ...former, ...changes }),
      replace: !('w' in changes),
    })
  const goTo = (day: Temporal.PlainDate) =>
    set({ w: day.equals(today) ? undefined : day.toString() })

  return {
    search,
    set,
    zone,
    isNarrow,
    today,
    view,
    days,
    goTo,
    goBy: (by: number) => goTo(shift(view, Temporal.PlainDate.from(anchor), by)),
    /** Goes to the date unless it is already visible. */
    reveal: (date: Date) => {
      const day = dayOf(date, zone)
      if (!days.some((each) => each.equals(day))) goTo(day)
    },
  }
}
