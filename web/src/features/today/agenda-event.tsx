import { useZone } from '../../data/profile.ts'
import { useNow } from '../../time/clock.ts'
import { formatMinutes, formatTime } from '../../time/format.ts'
import { minutesBetween } from '../../time/zone.ts'
import { hue } from '../../ui/badge.tsx'
import type { ShownEvent } from '../calendars/shown-events.ts'

/** An event of another calendar, in the colour of its calendar. */
export function AgendaEvent({ event }: { event: ShownEvent }) {
  const zone = useZone()
  const now = useNow()
  const { title, startAt, endAt, allDay, location, calendarName, blocks, tentative } = event
  const isOver = endAt <= now
  const length = `${formatMinutes(minutesBetween(startAt, endAt))}, until ${formatTime(endAt, zone)}`
  const details = [
    !allDay && length,
    tentative && 'tentative',
    !blocks && 'free',
    location,
    calendarName,
  ]
  return (
    <div className="-mx-2 flex items-center gap-2.5 px-2 py-1.5">
      <span className="w-10 flex-none text-right text-xs text-ink-2 tabular">
        {allDay ? 'All day' : formatTime(startAt, zone)}
      </span>
      <span
        className={`hue w-1 flex-none self-stretch rounded-full ${blocks ? 'bg-bar' : 'bar-dashed'}`}
        style={hue(event.color)}
      />
      <div className="min-w-0 flex-1">
        <p className={`truncate ${isOver ? 'text-ink-3' : ''}`}>{title || 'Untitled'}</p>
        <p className="truncate text-xs text-ink-3 tabular">{details.filter(Boolean).join(' · ')}</p>
      </div>
    </div>
  )
}
