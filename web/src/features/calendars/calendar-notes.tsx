import type { Calendar } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhenInText } from '../../time/format.ts'
import { isStale, readText } from './calendar-state.ts'
import { SkippedEvents } from './skipped-events.tsx'

/** Notes below the day: when calendars were read, which could not be read, and which events were skipped. */
export function CalendarNotes() {
  const { data: calendars = [] } = useQuery(queries.calendars())
  const zone = useZone()
  const now = useNow()
  const oldest = calendars
    .filter(({ error, fetchedAt }) => error === null && fetchedAt !== null)
    .toSorted((one, other) => Number(one.fetchedAt) - Number(other.fetchedAt))[0]
  const failing = calendars.filter((calendar) => calendar.error !== null && !isStale(calendar, now))
  if (calendars.length === 0) return null
  return (
    <section aria-label="Calendars" className="mt-2 text-xs text-ink-3 tabular">
      {oldest && (
        <p>
          Calendars{' '}
          <Link to="/settings/calendars" className="hover:underline">
            {readText(oldest, zone, now).toLowerCase()}
          </Link>
        </p>
      )}
      {failing.map((calendar) => (
        <p key={calendar.id} className="text-caution">
          “{calendar.name}”: {calendar.error}. {readText(calendar, zone, now)}
        </p>
      ))}
      {calendars
        .filter(({ skippedCount }) => skippedCount > 0)
        .map((calendar) => (
          <div key={calendar.id} className="flex flex-wrap items-baseline gap-x-1.5">
            <span>{calendar.name}:</span>
            <SkippedEvents {...calendar} />
          </div>
        ))}
    </section>
  )
}

/** Calendars that have not been readable for a day or more, so that the plan may be wrong. */
export function StaleCalendars() {
  const { data: calendars = [] } = useQuery(queries.calendars())
  const now = useNow()
  const stale = calendars.filter((calendar) => isStale(calendar, now))
  if (stale.length === 0) return null
  return (
    <section aria-label="Calendars that cannot be read" className="rounded-[10px] border px-4 py-3">
      {stale.map((calendar) => (
        <StaleCalendar key={calendar.id} calendar={calendar} now={now} />
      ))}
    </section>
  )
}

function StaleCalendar({ calendar, now }: { calendar: Calendar; now: Date }) {
  const zone = useZone()
  const { name, error, fetchedAt } = calendar
  return (
    <div className="flex flex-wrap items-center gap-2">
      <TriangleAlert size={15} aria-hidden="true" className="flex-none text-caution" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          {fetchedAt
            ? `“${name}” has not been read since ${formatWhenInText(fetchedAt, zone, now)}`
            : `“${name}” could not be read yet`}
        </p>
        <p className="text-xs text-ink-3">
          {error}. {fetchedAt && 'Its last known events still block your time.'}
        </p>
      </div>
      <Link to="/settings/calendars" className="button button-plain">
        Check
      </Link>
    </div>
  )
}
