import { useQuery } from '@tanstack/react-query'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhenInText } from '../../time/format.ts'

/** Calendars that are read again only later, because reading them took too long or failed badly. */
export function Quarantine() {
  const { data: calendars = [] } = useQuery(queries.quarantine())
  const zone = useZone()
  const now = useNow()
  if (calendars.length === 0) return null
  return (
    <section aria-labelledby="quarantine">
      <h2
        id="quarantine"
        className="border-b bg-panel px-4 py-1.5 text-xs font-medium text-caution"
      >
        Calendars that are not read <span className="tabular">{calendars.length}</span>
      </h2>
      <ul>
        {calendars.map(({ calendarId, email, host, error, nextFetchAt }) => (
          <li key={calendarId} className="border-b px-4 py-2.5">
            <p className="font-medium">
              {host} <span className="font-normal text-ink-3">of {email}</span>
            </p>
            <p className="text-xs text-signal-ink">{error}</p>
            <p className="text-xs text-ink-3 tabular">
              {nextFetchAt
                ? `Next attempt ${formatWhenInText(nextFetchAt, zone, now)}`
                : 'Switched off'}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
