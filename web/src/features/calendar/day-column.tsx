import { memo } from 'react'
import type { Minutes } from '../../data/windows.ts'
import type { Zone } from '../../time/zone.ts'
import { BlockView } from './block-view.tsx'
import type { DrawnEvent } from './calendar-events.ts'
import type { ClockChange } from './clock-change.ts'
import type { Entry } from './entries.ts'
import { type Segment, shortestMinutes } from './segments.ts'

type Props = {
  label: string
  segments: Segment<Entry>[]
  /** Events of the calendars that the user subscribes to. They are drawn beside the blocks. */
  events: Segment<DrawnEvent>[]
  windows: Minutes[]
  change: ClockChange | undefined
  zone: Zone
  selected: string | undefined
  tabStop: string | undefined
}

const at = (minutes: number) => `calc(var(--hour) * ${minutes / 60})`

export const DayColumn = memo(
  ({ label, segments, events, windows, change, zone, selected, tabStop }: Props) => (
    <section aria-label={label} className="day-column">
      {gaps(windows).map(({ start, end }) => (
        <div
          key={start}
          className="outside absolute inset-x-0"
          style={{ top: at(start), height: at(end - start) }}
        />
      ))}
      {change && (
        <div
          className="clock-change"
          style={{ top: at(change.start), height: at(change.end - change.start) }}
        >
          {change.kind === 'skipped'
            ? 'Skipped by the clock change'
            : 'Repeated by the clock change'}
        </div>
      )}
      <div className="hour-lines" aria-hidden="true" />
      {events.length > 0 && (
        <ul aria-label="Events of other calendars">
          {events.map(({ item, start, end, lane, lanes }) => (
            <li
              key={item.id}
              className="calendar-event"
              data-free={!item.blocks || undefined}
              data-tentative={item.tentative || undefined}
              data-tip={item.tip}
              style={{
                top: at(start),
                height: at(Math.max(end - start, shortestMinutes)),
                left: `${(lane / lanes) * 100}%`,
                width: `${100 / lanes}%`,
                borderColor: item.color,
              }}
            >
              {item.title}
            </li>
          ))}
        </ul>
      )}
      <ol>
        {segments.map((segment) => (
          <BlockView
            key={segment.item.id}
            segment={segment}
            zone={zone}
            isSelected={segment.item.id === selected}
            isTabStop={segment.item.id === tabStop}
          />
        ))}
      </ol>
    </section>
  ),
)

/** The time outside the windows. */
function gaps(windows: Minutes[]) {
  const edges = [0, ...windows.flatMap(({ start, end }) => [start, end]), 1440]
  return Array.from({ length: edges.length / 2 }, (_, index) => ({
    start: edges[2 * index] ?? 0,
    end: edges[2 * index + 1] ?? 0,
  })).filter(({ start, end }) => end > start)
}
