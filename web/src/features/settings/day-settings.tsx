// How a planned day may look: lunch, breaks, limits and the hours for long work.
import type { PlanningPreferences, Settings } from '@daywright/contract'
import { updatePlanning } from '../../data/actions/account.ts'
import { perform } from '../../data/run-mutation.ts'
import { NumberSetting } from './number-setting.tsx'
import { SettingChoice } from './setting-choice.tsx'
import { TimeSetting } from './time-setting.tsx'

const usual = {
  lunch: { from: '11:30', to: '14:00', minutes: 45 },
  breaks: { afterMinutes: 45, minutes: 10 },
  dailyLimitMinutes: 360,
  keepFreePercent: 15,
  bufferMinutes: 5,
  focusHours: { from: '09:00', to: '12:00' },
  deepWorkUntil: '14:00',
}

type Change = (changes: Partial<PlanningPreferences>, says: string) => void
type Props = { planning: PlanningPreferences; change: Change }

export function DaySettings({ settings }: { settings: Settings }) {
  const { planning } = settings
  const change: Change = (changes, says) => void perform(updatePlanning(settings, changes, says))
  return (
    <div className="flex flex-col divide-y">
      <Lunch planning={planning} change={change} />
      <Breaks planning={planning} change={change} />
      <Limits planning={planning} change={change} />
      <LongWork planning={planning} change={change} />
    </div>
  )
}

function Lunch({ planning: { lunch }, change }: Props) {
  return (
    <SettingChoice
      label="Lunch break"
      hint="Keeps time for lunch free, whenever it fits into the day."
      checked={lunch !== null}
      onChange={(on) =>
        change({ lunch: on ? usual.lunch : null }, on ? 'Lunch is kept free.' : 'No lunch break.')
      }
    >
      {lunch && (
        <>
          <TimeSetting
            label="Between"
            value={lunch.from}
            onChange={(from) => change({ lunch: { ...lunch, from } }, 'Changed.')}
          />
          <TimeSetting
            label="And"
            value={lunch.to}
            onChange={(to) => change({ lunch: { ...lunch, to } }, 'Changed.')}
          />
          <NumberSetting
            label="Lunch (min)"
            value={lunch.minutes}
            min={5}
            max={240}
            onChange={(minutes) => change({ lunch: { ...lunch, minutes } }, 'Changed.')}
          />
        </>
      )}
    </SettingChoice>
  )
}

function Breaks({ planning: { breaks, bufferMinutes }, change }: Props) {
  return (
    <>
      <SettingChoice
        label="Breaks"
        hint="Leaves time to rest after a long session."
        checked={breaks !== null}
        onChange={(on) =>
          change({ breaks: on ? usual.breaks : null }, on ? 'Breaks are on.' : 'Breaks are off.')
        }
      >
        {breaks && (
          <>
            <NumberSetting
              label="After (min)"
              value={breaks.afterMinutes}
              min={15}
              max={480}
              onChange={(afterMinutes) =>
                change({ breaks: { ...breaks, afterMinutes } }, 'Changed.')
              }
            />
            <NumberSetting
              label="Break (min)"
              value={breaks.minutes}
              min={1}
              max={120}
              onChange={(minutes) => change({ breaks: { ...breaks, minutes } }, 'Changed.')}
            />
          </>
        )}
      </SettingChoice>
      <SettingChoice
        label="Buffer between tasks"
        hint="Leaves a gap between sessions of different tasks."
        checked={bufferMinutes > 0}
        onChange={(on) =>
          change(
            { bufferMinutes: on ? usual.bufferMinutes : 0 },
            on ? `A gap of ${usual.bufferMinutes} minutes between tasks.` : 'No gap between tasks.',
          )
        }
      >
        <NumberSetting
          label="Buffer (min)"
          value={bufferMinutes}
          min={1}
          max={60}
          onChange={(minutes) => change({ bufferMinutes: minutes }, 'Changed.')}
        />
      </SettingChoice>
    </>
  )
}

function Limits({ planning: { dailyLimitMinutes, keepFreePercent }, change }: Props) {
  return (
    <>
      <SettingChoice
        label="Daily limit"
        hint="The most task work to plan in a day."
        checked={dailyLimitMinutes !== null}
        onChange={(on) =>
          change(
            { dailyLimitMinutes: on ? usual.dailyLimitMinutes : null },
            on ? 'At most 6 hours of tasks a day.' : 'No daily limit.',
          )
        }
      >
        {dailyLimitMinutes !== null && (
          <NumberSetting
            label="Hours a day"
            value={Math.round(dailyLimitMinutes / 60)}
            min={1}
            max={24}
            step={1}
            onChange={(hours) => change({ dailyLimitMinutes: hours * 60 }, 'Changed.')}
          />
        )}
      </SettingChoice>
      <SettingChoice
        label="Keep time free"
        hint="Part of each day stays open. Only work that would be late may use it."
        checked={keepFreePercent > 0}
        onChange={(on) =>
          change(
            { keepFreePercent: on ? usual.keepFreePercent : 0 },
            on ? `${usual.keepFreePercent} % of each day stays free.` : 'No time is kept free.',
          )
        }
      >
        <NumberSetting
          label="Free (%)"
          value={keepFreePercent}
          min={1}
          max={50}
          onChange={(percent) => change({ keepFreePercent: percent }, 'Changed.')}
        />
      </SettingChoice>
    </>
  )
}

function LongWork({ planning: { focusHours, deepWorkUntil }, change }: Props) {
  return (
    <>
      <SettingChoice
        label="Focus hours"
        hint="Long sessions are placed in these hours where possible."
        checked={focusHours !== null}
        onChange={(on) =>
          change(
            { focusHours: on ? usual.focusHours : null },
            on ? 'Focus hours from 9:00 to 12:00.' : 'No focus hours.',
          )
        }
      >
        {focusHours && (
          <>
            <TimeSetting
              label="Focus from"
              value={focusHours.from}
              onChange={(from) => change({ focusHours: { ...focusHours, from } }, 'Changed.')}
            />
            <TimeSetting
              label="Focus until"
              value={focusHours.to}
              onChange={(to) => change({ focusHours: { ...focusHours, to } }, 'Changed.')}
            />
          </>
        )}
      </SettingChoice>
      <SettingChoice
        label="No deep work late in the day"
        hint="Long sessions begin before this time where possible."
        checked={deepWorkUntil !== null}
        onChange={(on) =>
          change(
            { deepWorkUntil: on ? usual.deepWorkUntil : null },
            on ? 'Deep work begins before 14:00.' : 'Deep work at any time.',
          )
        }
      >
        {deepWorkUntil !== null && (
          <TimeSetting
            label="Begins before"
            value={deepWorkUntil}
            onChange={(time) => change({ deepWorkUntil: time }, 'Changed.')}
          />
        )}
      </SettingChoice>
    </>
  )
}
