import type { Settings } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { updateSettings } from '../data/actions/account.ts'
import { perform } from '../data/perform.ts'
import { queries } from '../data/queries.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { SettingsHead } from './settings-head.tsx'
import { TimeSetting } from './time-setting.tsx'

const usualQuiet = { from: '22:00', to: '06:00' }
const usualMorning = '07:00'

export function PlanningSettings() {
  const { data: settings } = useQuery(queries.settings())
  return (
    <>
      <SettingsHead title="Planning">What Daywright does automatically.</SettingsHead>
      {settings && <Choices settings={settings} />}
    </>
  )
}

function Choices({ settings }: { settings: Settings }) {
  const { automatic, quietHours, dailyRunAt, morningSummaryAt, deadlineAlerts } = settings
  const change = (changes: Partial<Settings>, says: string) =>
    void perform(updateSettings(settings, changes, says))
  return (
    <div className="flex flex-col divide-y">
      <Choice
        label="Auto-schedule"
        hint="Re-plan automatically when something changes. Pinned and locked blocks never move."
        checked={automatic}
        onChange={(on) =>
          change(
            { automatic: on },
            on ? 'Plans automatically from now on.' : 'Plans only when you ask.',
          )
        }
      >
        <TimeSetting
          label="Re-plan every day at"
          value={dailyRunAt}
          onChange={(time) => change({ dailyRunAt: time }, `Re-plans at ${time}.`)}
        />
      </Choice>
      <Choice
        label="Quiet hours"
        hint="No automatic re-planning during these hours."
        checked={quietHours !== null}
        onChange={(on) =>
          change(
            { quietHours: on ? usualQuiet : null },
            on ? 'Quiet from 22:00 to 6:00.' : 'No quiet hours.',
          )
        }
      >
        {quietHours && (
          <>
            <TimeSetting
              label="From"
              value={quietHours.from}
              onChange={(from) => change({ quietHours: { ...quietHours, from } }, 'Changed.')}
            />
            <TimeSetting
              label="Until"
              value={quietHours.to}
              onChange={(to) => change({ quietHours: { ...quietHours, to } }, 'Changed.')}
            />
          </>
        )}
      </Choice>
      <Choice
        label="Morning summary"
        hint="A notification with your schedule for the day."
        checked={morningSummaryAt !== null}
        onChange={(on) =>
          change(
            { morningSummaryAt: on ? usualMorning : null },
            on ? 'A summary each morning at 7:00.' : 'No morning summary.',
          )
        }
      >
        {morningSummaryAt !== null && (
          <TimeSetting
            label="At"
            value={morningSummaryAt}
            onChange={(time) => change({ morningSummaryAt: time }, `A summary at ${time}.`)}
          />
        )}
      </Choice>
      <Choice
        label="Deadline alerts"
        hint="After each automatic plan, a notification with the tasks that are due within 24 hours and have no time planned."
        checked={deadlineAlerts}
        onChange={(on) =>
          change(
            { deadlineAlerts: on },
            on ? 'An alert when a deadline is at risk.' : 'No deadline alerts.',
          )
        }
      />
    </div>
  )
}

type ChoiceProps = {
  label: string
  hint: string
  checked: boolean
  onChange: (on: boolean) => void
  children?: ReactNode
}

const Choice = ({ label, hint, checked, onChange, children }: ChoiceProps) => (
  <div className="flex flex-col gap-2 py-4 first:pt-0">
    <div className="font-medium">
      <Checkbox
        label={label}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
    </div>
    <p className="pl-6 text-ink-2">{hint}</p>
    {checked && children && <div className="flex flex-wrap gap-4 pt-1 pl-6">{children}</div>}
  </div>
)
