import type { SchedulePreference, Settings } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { updateSettings } from '../../data/actions/account.ts'
import { createPreference, setWorkingHours } from '../../data/actions/schedule-preferences.ts'
import { perform } from '../../data/run-mutation.ts'
import { plannersWindows } from '../../data/schedules.ts'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Options, SelectField } from '../../ui/field.tsx'
import { PreferenceEditor } from './schedule/preference-editor.tsx'
import { SettingsHead } from './settings-head.tsx'

export function ScheduleSettings() {
  const { data, isPending } = useQuery(queries.preferences())
  const { data: settings } = useQuery(queries.settings())
  const [chosenId, setChosenId] = useState<string>()
  const all = (data ?? []).toSorted((one, other) => other.priority - one.priority)
  const defaultId = settings?.schedulePreferenceId
  const find = (wanted: string | null | undefined) => all.find(({ id }) => id === wanted)
  const chosen = find(chosenId) ?? find(defaultId) ?? all[0]

  async function add() {
    const least = Math.min(0, ...all.map(({ priority }) => priority))
    const name = freeName(all.map((each) => each.name))
    const made = await perform(createPreference(name, plannersWindows, least - 1))
    if (made.ok) setChosenId(made.answer.id)
  }

  return (
    <>
      <SettingsHead title="Working hours">
        Tasks are planned in your default hours. A space, a project or a task can have its own.
      </SettingsHead>
      {!isPending && all.length === 0 && (
        <EmptyState
          title="No schedule yet"
          action={
            <Button onClick={() => void perform(setWorkingHours())}>Set working hours</Button>
          }
        >
          Until then, tasks are planned Monday to Friday, 9:00 to 17:00.
        </EmptyState>
      )}
      {all.length > 0 && settings && <DefaultHours {...{ all, settings }} />}
      {all.length > 0 && (
        <div className="mb-5 flex flex-wrap gap-1.5" role="group" aria-label="Schedules">
          {all.map((preference) => (
            <button
              key={preference.id}
              type="button"
              aria-pressed={preference.id === chosen?.id}
              className="h-8 rounded-control border border-line-strong bg-raised px-3 font-medium text-ink-2 aria-pressed:border-ink aria-pressed:text-ink"
              onClick={() => setChosenId(preference.id)}
            >
              {preference.name}
            </button>
          ))}
          <Button look="quiet" className="h-8" onClick={() => void add()}>
            <Plus size={15} aria-hidden="true" /> Add a schedule
          </Button>
        </div>
      )}
      {chosen && (
        <PreferenceEditor
          key={chosen.id}
          preference={chosen}
          onDeleted={() => setChosenId(undefined)}
        />
      )}
    </>
  )
}

type DefaultHoursProps = { all: SchedulePreference[]; settings: Settings }

const DefaultHours = ({ all, settings }: DefaultHoursProps) => (
  <div className="mb-6 max-w-96">
    <SelectField
      label="Default hours"
      hint="For all tasks without hours of their own."
      value={settings.schedulePreferenceId ?? ''}
      onChange={({ target }) =>
        void perform(
          updateSettings(
            settings,
            { schedulePreferenceId: target.value || null },
            'Changed the default hours.',
          ),
        )
      }
    >
      <option value="">Monday to Friday, 9:00–17:00</option>
      <Options of={all} />
    </SelectField>
  </div>
)

function freeName(taken: string[]) {
  const names = ['New schedule', ...Array.from({ length: 50 }, (_, n) => `New schedule ${n + 2}`)]
  return names.find((name) => !taken.includes(name)) ?? 'New schedule'
}
