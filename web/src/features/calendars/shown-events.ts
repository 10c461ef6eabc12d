// The events of the calendars that the user subscribes to and shows, with the colour of their calendar.
import type { CalendarEvent } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '../../data/queries.ts'

export type ShownEvent = CalendarEvent & { color: string; calendarName: string }

/** The events of shown calendars; none until the calendars are known, so that hidden ones never appear. */
export function useShownEvents(events: CalendarEvent[]): ShownEvent[] {
  const { data: calendars } = useQuery(queries.calendars())
  return useMemo(() => {
    const shown = new Map(
      calendars?.filter((calendar) => calendar.shown).map((calendar) => [calendar.id, calendar]),
    )
    return events.flatMap((event) => {
      const calendar = shown.get(event.calendarId)
      return calendar ? [{ ...event, color: calendar.color, calendarName: calendar.name }] : []
    })
  }, [events, calendars])
}
