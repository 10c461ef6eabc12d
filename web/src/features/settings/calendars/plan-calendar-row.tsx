import type { FeedDetail, PlanCalendar } from '@daywright/contract'
import { useState } from 'react'
import { deletePlanCalendar, updatePlanCalendar } from '../../../data/actions/plan-calendars.ts'
import { useZone } from '../../../data/profile.ts'
import { perform } from '../../../data/run-mutation.ts'
import { useNow } from '../../../time/clock.ts'
import { formatWhenInText } from '../../../time/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { ConfirmButton } from '../confirm-button.tsx'
import { feedDetails } from './new-feed-form.tsx'
import { PasswordForm } from './password-form.tsx'

export function PlanCalendarRow({ calendar }: { calendar: PlanCalendar }) {
  const [isChangingPassword, setChangingPassword] = useState(false)
  const { name, username, host, removing, error } = calendar
  const change = (changes: Parameters<typeof updatePlanCalendar>[1]) =>
    void perform(updatePlanCalendar(calendar, changes))
  return (
    <li className="border-b py-3" aria-label={name}>
      <p className="font-medium">{name}</p>
      <p className="text-xs text-ink-3 tabular">
        {username} · {host} · <State calendar={calendar} />
      </p>
      {error && <p className="mt-1 text-xs text-signal-ink">{error}</p>}
      {!removing && (
        <div className="mt-2 flex flex-wrap items-end gap-4">
          <SelectField
            label="What it shows"
            value={calendar.detail}
            onChange={({ target }) => change({ detail: target.value as FeedDetail })}
          >
            {Object.entries(feedDetails).map(([value, { name }]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </SelectField>
          <Checkbox
            label="Moving an event there moves the block"
            checked={calendar.twoWay}
            onChange={({ target }) => change({ twoWay: target.checked })}
          />
        </div>
      )}
      <div className="mt-2 flex flex-wrap gap-1.5">
        {!isChangingPassword && (
          <Button onClick={() => setChangingPassword(true)}>Change password</Button>
        )}
        {!removing && (
          <ConfirmButton
            label={`Stop and delete its events: ${name}`}
            question="Delete its events?"
            onConfirm={() => void perform(deletePlanCalendar(calendar, 'remove'))}
          >
            Stop and delete its events
          </ConfirmButton>
        )}
        <ConfirmButton
          label={`Stop updating ${name}`}
          question="Stop, and leave its events?"
          onConfirm={() => void perform(deletePlanCalendar(calendar, 'leave'))}
        >
          Stop
        </ConfirmButton>
      </div>
      {isChangingPassword && (
        <PasswordForm
          account={calendar}
          change={(password) => updatePlanCalendar(calendar, { password })}
          onDone={() => setChangingPassword(false)}
        />
      )}
    </li>
  )
}

function State({
  calendar: { removing, syncedAt, eventCount, error },
}: {
  calendar: PlanCalendar
}) {
  const zone = useZone()
  const now = useNow()
  if (removing) return 'deleting its events…'
  if (!syncedAt) return error ? 'not updated yet' : 'updating…'
  const events = eventCount === 1 ? '1 event' : `${eventCount} events`
  return `${events} · updated ${formatWhenInText(syncedAt, zone, now)}`
}
