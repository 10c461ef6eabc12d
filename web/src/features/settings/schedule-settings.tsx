import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { createPreference } from '../../data/actions/schedule-preferences.ts'
import { perform } from '../../data/run-mutation.ts'
import { plannersWindows } from '../../data/preferences.ts'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PreferenceEditor } from './schedule/preference-editor.tsx'
import { SettingsHead } from './settings-head.tsx'

export function ScheduleSettings() {
  const { data, isPending } = useQuery(queries.preferences())
  const [chosenId, setChosenId] = useState<string>()
  const all = (data ?? []).toSorted((one, other) => other.priority - one.priority)
  const chosen = all.find(({ id }) => id === chosenId) ?? all[0]

  async function add() {
    const name = all.length === 0 ? 'Working hours' : freeName(all.map((each) => each.name))
    const least = Math.min(0, ...all.map(({ priority }) => priority))
    const made = await perform(createPreference(name, plannersWindows, least - 1))
    if (made.ok) setChosenId(made.answer.id)
  }

  return (
    <>
      <SettingsHead title="Working hours">
        Tasks are planned inside these hours. Choose your default under Planning; a space, a project
        or a task can have its own.
      </SettingsHead>
      {!isPending && all.length === 0 && (
        <EmptyState
          title="No schedule yet"
          action={<Button onClick={() => void add()}>Set working hours</Button>}
        >
          Until then, tasks are planned Monday to Friday, 9:00 to 17:00.
        </EmptyState>
      )}
      {all.length > 0 && (
        <div className="mb-5 flex flex-wrap gap-1.5" role="group" aria-label="Schedules">
          {all.map((preference, index) => (
            <button
              key={preference.id}
              type="button"
              aria-pressed={preference.id === chosen?.id}
              className="flex h-8 items-center gap-2 rounded-control border border-line-strong bg-raised px-3 font-medium text-ink-2 aria-pressed:border-ink aria-pressed:text-ink"
              onClick={() => setChosenId(preference.id)}
            >
              <span className="text-xs text-ink-3 tabular">{index + 1}</span>
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
          all={all}
          onDeleted={() => setChosenId(undefined)}
        />
      )}
    </>
  )
}

function freeName(taken: string[]) {
  const names = ['New schedule', ...Array.from({ length: 50 }, (_, n) => `New schedule ${n + 2}`)]
  return names.find((name) => !taken.includes(name)) ?? 'New schedule'
}
