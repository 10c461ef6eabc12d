// The events of the calendars that the user subscribes to, as the grid draws them.
import type { CalendarEvent } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '../../data/queries.ts'
import { formatTime } from '../../time/format.ts'
import { startOfDay, type Zone } from '../../time/zone.ts'
import { segmentsOf } from './segments.ts'

export type ShownEvent = CalendarEvent & { color: string; tip: string }

export function useCalendarEvents(events: CalendarEvent[], days: Temporal.PlainDate[], zone: Zone) {
  const { data: calendars } = useQuery(queries.calendars())
  return useMemo(() => {
    const byId = new Map(calendars?.map((calendar) => [calendar.id, calendar]))
    const shown = events.map((event): ShownEvent => {
      const calendar = byId.get(event.calendarId)
      const times = `${formatTime(event.startAt, zone)}–${formatTime(event.endAt, zone)}`
      const tip = [event.title, times, event.location, calendar?.name].filter(Boolean).join(' · ')
      return { ...event, color: calendar?.color ?? '#8a8680', tip }
    })
    return {
      timed: segmentsOf(
        shown.filter(({ allDay }) => !allDay),
        days,
        zone,
      ),
      allDay: days.map((day) => {
        const from = startOfDay(day, zone)
        const to = startOfDay(day.add({ days: 1 }), zone)
        return shown
          .filter(({ allDay, startAt, endAt }) => allDay && startAt < to && endAt > from)
          .map(({ title }) => title)
      }),
    }
  }, [events, calendars, days, zone])
}
