import { memo } from 'react'
import type { Minutes } from '../data/preferences.ts'
import type { Zone } from '../time/zone.ts'
import { BlockView } from './block-view.tsx'
import type { ClockChange } from './clock-change.ts'
import type { Entry } from './entries.ts'
import type { Segment } from './segments.ts'

type Props = {
  label: string
  segments: Segment<Entry>[]
  windows: Minutes[]
  change: ClockChange | undefined
  zone: Zone
  selected: string | undefined
  tabStop: string | undefined
}

const at = (minutes: number) => `calc(var(--hour) * ${minutes / 60})`

export const DayColumn = memo(
  ({ label, segments, windows, change, zone, selected, tabStop }: Props) => (
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
          {change.kind === 'skipped' ? 'The clock skips this' : 'This comes twice'}
        </div>
      )}
      <div className="hour-lines" aria-hidden="true" />
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
