import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { NewPlanCalendarForm } from './new-plan-calendar-form.tsx'
import { PlanCalendarRow } from './plan-calendar-row.tsx'

/** Calendars at CalDAV servers that are kept up to date with the plan. */
export function PlanCalendarSettings() {
  const { data: calendars, isError } = useQuery(queries.planCalendars())
  const [isAdding, setAdding] = useState(false)
  return (
    <section aria-labelledby="plan-calendars" className="mt-10">
      <header className="mb-4">
        <h2 id="plan-calendars" className="text-lg font-semibold">
          Your plan in a CalDAV calendar
        </h2>
        <p className="mt-1 max-w-[60ch] text-ink-2">
          Daywright writes your blocks into a calendar of your account within seconds of every
          change. If you like, moving an event there moves the block here.
        </p>
      </header>
      {isAdding ? (
        <NewPlanCalendarForm onDone={() => setAdding(false)} />
      ) : (
        <Button onClick={() => setAdding(true)}>Choose calendar</Button>
      )}
      {isError && <p className="mt-4 text-signal-ink">These calendars could not be loaded.</p>}
      <ul className="mt-4">
        {calendars?.map((calendar) => (
          <PlanCalendarRow key={calendar.id} calendar={calendar} />
        ))}
      </ul>
    </section>
  )
}
