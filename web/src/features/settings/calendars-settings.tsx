import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CalendarRow } from './calendars/calendar-row.tsx'
import { ConnectButtons, ConnectedAccounts } from './calendars/connected-accounts.tsx'
import { FeedSettings } from './calendars/feed-settings.tsx'
import { PlanCalendarSettings } from './calendars/plan-calendar-settings.tsx'
import { NewAccountForm } from './calendars/new-account-form.tsx'
import { NewCalendarForm } from './calendars/new-calendar-form.tsx'
import { SettingsHead } from './settings-head.tsx'

export function CalendarSettings() {
  const { data: calendars, isError } = useQuery(queries.calendars())
  const [adding, setAdding] = useState<'address' | 'account'>()
  const close = () => setAdding(undefined)
  return (
    <>
      <SettingsHead title="Calendars">
        Subscribe to your other calendars. Their events appear on your week, and Daywright plans
        around them.
      </SettingsHead>
      {adding === 'address' && <NewCalendarForm onDone={close} />}
      {adding === 'account' && <NewAccountForm onDone={close} />}
      {!adding && (
        <div className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => setAdding('address')}>
            Add calendar
          </Button>
          <Button onClick={() => setAdding('account')}>Connect CalDAV account</Button>
          <ConnectButtons />
        </div>
      )}
      <ConnectedAccounts />
      {isError && <p className="mt-4 text-signal-ink">The calendars could not be loaded.</p>}
      {calendars?.length === 0 && !adding && (
        <p className="mt-6 text-ink-3">You have not added any calendars.</p>
      )}
      <ul className="mt-4">
        {calendars?.map((calendar) => (
          <CalendarRow key={calendar.id} calendar={calendar} />
        ))}
      </ul>
      <FeedSettings />
      <PlanCalendarSettings />
    </>
  )
}
