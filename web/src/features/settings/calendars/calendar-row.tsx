import type { AllDayRule, Calendar } from '@daywright/contract'
import { useState } from 'react'
import {
  changePassword,
  deleteCalendar,
  refreshCalendar,
  updateCalendar,
} from '../../../data/actions/calendars.ts'
import { useZone } from '../../../data/profile.ts'
import { perform } from '../../../data/run-mutation.ts'
import { useNow } from '../../../time/clock.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { ConfirmButton } from '../confirm-button.tsx'
import { readText } from '../../calendars/calendar-state.ts'
import { PasswordForm } from './password-form.tsx'
import { providerNames } from './provider-names.ts'
import { SkippedEvents } from '../../calendars/skipped-events.tsx'

export function CalendarRow({ calendar }: { calendar: Calendar }) {
  const [isChangingPassword, setChangingPassword] = useState(false)
  return (
    <li className="border-b py-3" aria-label={calendar.name}>
      <div className="flex flex-wrap items-center gap-2">
        <span
          aria-hidden="true"
          className="size-3 flex-none rounded-full"
          style={{ background: calendar.color }}
        />
        <p className="min-w-0 flex-1 truncate font-medium">{calendar.name}</p>
        <State calendar={calendar} />
      </div>
      <p className="text-xs text-ink-3">
        {calendar.username && `${calendar.username} · `}
        {providerNames[calendar.kind] ?? calendar.host} · {calendar.eventCount}{' '}
        {calendar.eventCount === 1 ? 'event' : 'events'}
        {calendar.createdBy?.kind === 'key' && ` · added with the key “${calendar.createdBy.name}”`}
      </p>
      {calendar.error && <p className="mt-1 text-xs text-signal-ink">{calendar.error}</p>}
      <SkippedEvents {...calendar} />
      <Settings calendar={calendar} />
      <div className="mt-2 flex flex-wrap gap-1.5">
        <Button onClick={() => void perform(refreshCalendar(calendar))}>Fetch now</Button>
        {calendar.kind === 'caldav' && !isChangingPassword && (
          <Button onClick={() => setChangingPassword(true)}>Change password</Button>
        )}
        <ConfirmButton
          label={`Remove the calendar ${calendar.name}`}
          question="Remove with its events?"
          onConfirm={() => void perform(deleteCalendar(calendar))}
        >
          Remove
        </ConfirmButton>
      </div>
      {isChangingPassword && (
        <PasswordForm
          account={calendar}
          change={(password) => changePassword(calendar, password)}
          onDone={() => setChangingPassword(false)}
        />
      )}
    </li>
  )
}

function Settings({ calendar }: { calendar: Calendar }) {
  const change = (changes: Parameters<typeof updateCalendar>[1]) =>
    void perform(updateCalendar(calendar, changes))
  return (
    <div className="mt-2 flex flex-wrap items-end gap-4">
      <Checkbox
        label="Show its events"
        checked={calendar.shown}
        onChange={({ target }) => change({ shown: target.checked })}
      />
      <Checkbox
        label="Plan around its events"
        checked={calendar.blocks}
        onChange={({ target }) => change({ blocks: target.checked })}
      />
      <Checkbox
        label="Also tentative ones"
        checked={calendar.tentativeBlocks}
        disabled={!calendar.blocks}
        onChange={({ target }) => change({ tentativeBlocks: target.checked })}
      />
      <SelectField
        label="All-day events"
        value={calendar.allDay}
        disabled={!calendar.blocks}
        onChange={({ target }) => change({ allDay: target.value as AllDayRule })}
      >
        <option value="marked">Only if marked busy</option>
        <option value="always">Keep the day free</option>
        <option value="never">Ignore</option>
      </SelectField>
      <SelectField
        label="Free time before and after"
        value={String(calendar.paddingMinutes)}
        disabled={!calendar.blocks}
        onChange={({ target }) => change({ paddingMinutes: Number(target.value) })}
      >
        {[...new Set([0, 5, 10, 15, 30, calendar.paddingMinutes])]
          .toSorted((a, b) => a - b)
          .map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes === 0 ? 'None' : `${minutes} min`}
            </option>
          ))}
      </SelectField>
    </div>
  )
}

function State({ calendar }: { calendar: Calendar }) {
  const read = readText(calendar, useZone(), useNow())
  if (calendar.error) return <Badge tone="caution">{read}</Badge>
  return calendar.fetchedAt ? <Badge tone="good">{read}</Badge> : <Badge>Waiting</Badge>
}
