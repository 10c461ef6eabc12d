import type { Settings } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { updateSettings } from '../../data/actions/account.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { SelectField } from '../../ui/field.tsx'
import { DaySettings } from './day-settings.tsx'
import { NumberSetting } from './number-setting.tsx'
import { SettingChoice } from './setting-choice.tsx'
import { SettingsHead } from './settings-head.tsx'
import { TimeSetting } from './time-setting.tsx'

const usualQuiet = { from: '22:00', to: '06:00' }
const usualMorning = '07:00'

export function PlanningSettings() {
  const { data: settings } = useQuery(queries.settings())
  return (
    <>
      <SettingsHead title="Planning">What Daywright does automatically.</SettingsHead>
      {settings && (
        <>
          <Choices settings={settings} />
          <Heading>Work</Heading>
          <WorkChoices settings={settings} />
          <Heading>Your day</Heading>
          <DaySettings settings={settings} />
        </>
      )}
    </>
  )
}

type Change = (changes: Partial<Settings>, says: string) => void

const Heading = ({ children }: { children: string }) => (
  <h3 className="mt-6 mb-4 border-b pb-2 font-semibold">{children}</h3>
)

const usualMinutes = 30

/** Which work is planned: missed blocks, and tasks without an estimate. */
function WorkChoices({ settings }: { settings: Settings }) {
  const { missedBlocks, assumedMinutes } = settings
  const change: Change = (changes, says) => void perform(updateSettings(settings, changes, says))
  return (
    <div className="flex flex-col divide-y">
      <div className="max-w-96 pb-4">
        <SelectField
          label="Missed blocks"
          hint="Planned blocks that ended and were neither started nor finished."
          value={missedBlocks}
          onChange={({ target }) =>
            change(
              { missedBlocks: target.value as Settings['missedBlocks'] },
              target.value === 'reschedule'
                ? 'Missed blocks are rescheduled.'
                : 'Missed blocks count as done.',
            )
          }
        >
          <option value="reschedule">Reschedule them</option>
          <option value="assume-done">Assume they were done</option>
        </SelectField>
      </div>
      <SettingChoice
        label="Plan tasks without an estimate"
        hint="Otherwise they are left out of the plan until you estimate them."
        checked={assumedMinutes !== null}
        onChange={(on) =>
          change(
            { assumedMinutes: on ? usualMinutes : null },
            on
              ? 'Tasks without an estimate are assumed to take 30 minutes.'
              : 'Tasks without an estimate are left out.',
          )
        }
      >
        {assumedMinutes !== null && (
          <NumberSetting
            label="Assumed length (min)"
            value={assumedMinutes}
            min={5}
            max={480}
            onChange={(minutes) => change({ assumedMinutes: minutes }, 'Changed.')}
          />
        )}
      </SettingChoice>
    </div>
  )
}

/** What happens automatically: runs, their quiet hours, and notifications. */
function Choices({ settings }: { settings: Settings }) {
  const { automatic, quietHours, dailyRunAt, morningSummaryAt, deadlineAlerts } = settings
  const change: Change = (changes, says) => void perform(updateSettings(settings, changes, says))
  return (
    <div className="flex flex-col divide-y">
      <SettingChoice
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
      </SettingChoice>
      <QuietHours value={quietHours} onChange={change} />
      <SettingChoice
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
      </SettingChoice>
      <SettingChoice
        label="Deadline alerts"
        hint="After each automatic plan, a notification with the tasks that are due within 24 hours and have no time planned."
        checked={deadlineAlerts}
        onChange={(on) =>
          change(
            { deadlineAlerts: on },
            on ? 'Deadline alerts are on.' : 'Deadline alerts are off.',
          )
        }
      />
    </div>
  )
}

type QuietHoursProps = { value: Settings['quietHours']; onChange: Change }

const QuietHours = ({ value, onChange }: QuietHoursProps) => (
  <SettingChoice
    label="Quiet hours"
    hint="No automatic re-planning during these hours."
    checked={value !== null}
    onChange={(on) =>
      onChange(
        { quietHours: on ? usualQuiet : null },
        on ? 'Quiet hours from 22:00 to 6:00.' : 'No quiet hours.',
      )
    }
  >
    {value && (
      <>
        <TimeSetting
          label="From"
          value={value.from}
          onChange={(from) => onChange({ quietHours: { ...value, from } }, 'Changed.')}
        />
        <TimeSetting
          label="Until"
          value={value.to}
          onChange={(to) => onChange({ quietHours: { ...value, to } }, 'Changed.')}
        />
      </>
    )}
  </SettingChoice>
)
