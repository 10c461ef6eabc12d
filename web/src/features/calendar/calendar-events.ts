// The events of the calendars that the user subscribes to, as the grid draws them.
import type { CalendarEvent } from '@daywright/contract'
import { useMemo } from 'react'
import { formatTime } from '../../time/format.ts'
import { startOfDay, type Zone } from '../../time/zone.ts'
import { type ShownEvent, useShownEvents } from '../calendars/shown-events.ts'
import { segmentsOf } from './segments.ts'

export type DrawnEvent = ShownEvent & { tip: string }

export function useCalendarEvents(events: CalendarEvent[], days: Temporal.PlainDate[], zone: Zone) {
  const shown = useShownEvents(events)
  return useMemo(() => {
    const timed = shown
      .filter(({ allDay }) => !allDay)
      .map((event): DrawnEvent => {
        const { title, startAt, endAt, location, calendarName } = event
        const times = `${formatTime(startAt, zone)}–${formatTime(endAt, zone)}`
        return {
          ...event,
          tip: [title, times, location, calendarName].filter(Boolean).join(' · '),
        }
      })
    return {
      timed: segmentsOf(timed, days, zone),
      allDay: days.map((day) => {
        const from = startOfDay(day, zone)
        const to = startOfDay(day.add({ days: 1 }), zone)
        return shown
          .filter(({ allDay, startAt, endAt }) => allDay && startAt < to && endAt > from)
          .map(({ title }) => title)
      }),
    }
  }, [shown, days, zone])
}
