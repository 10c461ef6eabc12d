import type { Calendar } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { updateCalendar } from '../../data/actions/calendars.ts'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { perform } from '../../data/run-mutation.ts'
import { useNow } from '../../time/clock.ts'
import { Swatch } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { readText } from './calendar-state.ts'

/** The calendars of other services, each with whether it is shown and how current it is. */
export function CalendarLegend() {
  const { data: calendars } = useQuery(queries.calendars())
  if (!calendars?.length) return null
  return (
    <section
      aria-label="Calendars"
      className="max-h-[40%] flex-none overflow-y-auto border-t px-3.5 pt-2 pb-3"
    >
      <div className="flex items-center">
        <h3 className="flex-1 text-xs font-medium text-ink-3">Calendars</h3>
        <Link to="/settings/calendars" className="text-xs text-ink-3 hover:text-ink">
          Manage
        </Link>
      </div>
      <ul>
        {calendars.map((calendar) => (
          <Row key={calendar.id} calendar={calendar} />
        ))}
      </ul>
    </section>
  )
}

function Row({ calendar }: { calendar: Calendar }) {
  const { name, color, shown, error, skippedCount } = calendar
  const read = readText(calendar, useZone(), useNow())
  const skipped = skippedCount > 0 && `${skippedCount} skipped`
  const state = [error ?? read, skipped].filter(Boolean).join(' · ')
  return (
    <li className="flex min-h-8 items-center gap-2">
      <Checkbox
        label={`Show ${name}`}
        isLabelHidden
        checked={shown}
        onChange={({ target }) => void perform(updateCalendar(calendar, { shown: target.checked }))}
      />
      <Swatch color={color} isRound />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        <span
          className={`block truncate text-2xs tabular ${error ? 'text-caution' : 'text-ink-3'}`}
          data-tip={error ? `${error} · ${read}` : undefined}
        >
          {error && <TriangleAlert size={10} aria-hidden="true" className="mr-1 inline" />}
          {state}
        </span>
      </span>
    </li>
  )
}
