import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import type { CalendarEvent, Window } from '@daywright/contract'
import { type Hours, minutesOfAll, openSpans } from '../../data/open-time.ts'
import { windowsOn } from '../../data/windows.ts'
import { now, useNow } from '../../time/clock.ts'
import { zoneName } from '../../time/format.ts'
import { dayOf, minutesBetween, startOfDay, wallMinutes, type Zone } from '../../time/zone.ts'
import { clockChangeOn } from './clock-change.ts'
import { type DrawnEvent, useCalendarEvents } from './calendar-events.ts'
import { DayColumn } from './day-column.tsx'
import { DayHead, type Due } from './day-head.tsx'
import { besideEvents, type Entry } from './entries.ts'
import { GhostView } from './ghost-view.tsx'
import type { Grid } from './grid-place.ts'
import { NowLine } from './now-line.tsx'
import type { Segment } from './segments.ts'
import { useDrawn } from './use-drawn.ts'

export type GridHandlers = {
  onPointerDown: (event: React.PointerEvent<HTMLElement>) => void
  onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => void
  onDoubleClick: (event: React.MouseEvent<HTMLElement>) => void
}

type Props = GridHandlers & {
  days: Temporal.PlainDate[]
  columns: Segment<Entry>[][]
  /** Events of the calendars that the user subscribes to. */
  events: CalendarEvent[]
  hours: Hours
  due: Map<string, Due[]>
  coming: Map<string, string[]>
  zone: Zone
  selected: string | undefined
  tabStop: string | undefined
  gridRef: RefObject<Grid | null>
  onOpenDay: (day: Temporal.PlainDate) => void
}

const none: Segment<Entry>[] = []
const noEvents: Segment<DrawnEvent>[] = []
const hours = Array.from({ length: 23 }, (_, index) => index + 1)

export function WeekGrid(props: Props) {
  const { days, columns, events, hours, due, coming, zone, selected, tabStop, gridRef } = props
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const today = dayOf(useNow(), zone)
  const template = `52px repeat(${days.length}, minmax(${days.length > 7 ? 84 : 0}px, 1fr))`
  const minWidth = days.length > 7 ? 52 + 84 * days.length : 0

  useLayoutEffect(() => {
    if (!scroller.current || !body.current) return
    gridRef.current = {
      scroller: scroller.current,
      body: body.current,
      dayCount: days.length,
    }
  }, [days.length, gridRef])
  useFirstScroll(scroller, body, hours.windows, zone)

  const shown = useDays(days, hours, zone)
  const drawn = useDrawn(days, columns)
  const { timed, allDay } = useCalendarEvents(events, days, zone)
  const laidOut = useMemo(
    () => days.map((_, index) => besideEvents(columns[index] ?? none, timed[index] ?? noEvents)),
    [days, columns, timed],
  )

  return (
    <div ref={scroller} className="week-scroll">
      <div className="week-head" style={{ gridTemplateColumns: template, minWidth }}>
        <div className="week-corner">{days[0] && zoneName(startOfDay(days[0], zone), zone)}</div>
        {days.map((day, index) => (
          <DayHead
            key={day.toString()}
            day={day}
            isToday={day.equals(today)}
            plannedMinutes={plannedOn(columns[index]?.map(({ item }) => item) ?? [], day, zone)}
            openMinutes={shown[index]?.openMinutes ?? 0}
            due={due.get(day.toString()) ?? []}
            allDay={allDay[index] ?? []}
            coming={coming.get(day.toString()) ?? []}
            onOpen={() => props.onOpenDay(day)}
          />
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={body}
        className="week-body"
        style={{ gridTemplateColumns: template, minWidth }}
        onPointerDown={props.onPointerDown}
        onKeyDown={props.onKeyDown}
        onDoubleClick={props.onDoubleClick}
      >
        <HourLabels />
        {days.map((day, index) => (
          <DayColumn
            key={day.toString()}
            label={shown[index]?.label ?? ''}
            segments={index < drawn ? (laidOut[index]?.blocks ?? none) : none}
            events={laidOut[index]?.events ?? noEvents}
            windows={shown[index]?.windows ?? []}
            change={shown[index]?.change}
            zone={zone}
            selected={ifIn(columns[index], selected)}
            tabStop={ifIn(columns[index], tabStop)}
          />
        ))}
        <NowLine days={days} zone={zone} />
        <div className="ghost-layer">
          <GhostView dayCount={days.length} />
        </div>
      </div>
    </div>
  )
}

const useDays = (days: Temporal.PlainDate[], hours: Hours, zone: Zone) =>
  useMemo(
    () =>
      days.map((day) => ({
        label: labelOf(day),
        windows: windowsOn(hours.windows, day.dayOfWeek % 7),
        openMinutes: minutesOfAll(openSpans(day, hours, zone)),
        change: clockChangeOn(day, zone),
      })),
    [days, hours, zone],
  )

const HourLabels = () => (
  <div className="gutter" aria-hidden="true">
    {hours.map((hour) => (
      <span key={hour} style={{ top: `calc(var(--hour) * ${hour})` }}>
        {hour}:00
      </span>
    ))}
  </div>
)

const labelOf = (day: Temporal.PlainDate) =>
  day.toLocaleString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

/** The id if the column contains it, so that only the affected day is drawn again. */
const ifIn = (column: Segment<Entry>[] | undefined, id: string | undefined) =>
  column?.some(({ item }) => item.id === id) ? id : undefined

/** The planned minutes of a day. They are elapsed time, so that an hour skipped by the clock does not count. */
function plannedOn(entries: Entry[], day: Temporal.PlainDate, zone: Zone) {
  const from = startOfDay(day, zone)
  const to = startOfDay(day.add({ days: 1 }), zone)
  return entries
    .filter(({ change, isMissed }) => change !== 'leaves' && !isMissed)
    .map(
      ({ startAt, endAt }) => [startAt > from ? startAt : from, endAt < to ? endAt : to] as const,
    )
    .reduce((total, [start, end]) => total + Math.max(0, minutesBetween(start, end)), 0)
}

/** Scrolls once, to the start of the working day, or to the current time if it is earlier and after 5:00. */
function useFirstScroll(
  scroller: RefObject<HTMLDivElement | null>,
  body: RefObject<HTMLDivElement | null>,
  windows: Window[],
  zone: Zone,
) {
  const isDone = useRef(false)
  useLayoutEffect(() => {
    if (isDone.current || !scroller.current || !body.current) return
    isDone.current = true
    const starts = [0, 1, 2, 3, 4, 5, 6].flatMap((day) => windowsOn(windows, day).slice(0, 1))
    const first = Math.min(540, ...starts.map(({ start }) => start))
    const hour = body.current.getBoundingClientRect().height / 24
    const present = wallMinutes(now(), zone)
    const from = present < first && present > 300 ? present : first
    scroller.current.scrollTop = ((from - 45) / 60) * hour
  }, [scroller, body, windows, zone])
}
