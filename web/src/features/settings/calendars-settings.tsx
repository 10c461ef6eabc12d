import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CalendarRow } from './calendars/calendar-row.tsx'
import { FeedSettings } from './calendars/feed-settings.tsx'
import { NewCalendarForm } from './calendars/new-calendar-form.tsx'
import { SettingsHead } from './settings-head.tsx'

export function CalendarSettings() {
  const { data: calendars, isError } = useQuery(queries.calendars())
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <SettingsHead title="Calendars">
        Subscribe to your other calendars. Their events appear on your week, and Daywright plans
        around them.
      </SettingsHead>
      {isAdding ? (
        <NewCalendarForm onDone={() => setAdding(false)} />
      ) : (
        <Button look="primary" onClick={() => setAdding(true)}>
          Add calendar
        </Button>
      )}
      {isError && <p className="mt-4 text-signal-ink">The calendars could not be loaded.</p>}
      {calendars?.length === 0 && !isAdding && (
        <p className="mt-6 text-ink-3">You have not added any calendars.</p>
      )}
      <ul className="mt-4">
        {calendars?.map((calendar) => (
          <CalendarRow key={calendar.id} calendar={calendar} />
        ))}
      </ul>
      <FeedSettings />
    </>
  )
}
