import { useState } from 'react'
import { api } from '../data/api.ts'
import { cache } from '../data/cache.ts'
import { perform } from '../data/perform.ts'
import { queries } from '../data/queries.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { TextField } from '../ui/field.tsx'
import { Step } from './step.tsx'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const fromMonday = [1, 2, 3, 4, 5, 6, 0]

export function WorkingHours({ onDone }: { onDone: () => void }) {
  const [chosen, setChosen] = useState([1, 2, 3, 4, 5])
  const [start, setStart] = useState('09:00')
  const [end, setEnd] = useState('17:00')
  const [wantsSummary, setWantsSummary] = useState(false)
  const [summaryAt, setSummaryAt] = useState('07:00')
  const isRight = chosen.length > 0 && start < end

  async function save() {
    const { ok } = await perform({
      send: async () => {
        // First, because it can be repeated safely if the other request is refused.
        if (wantsSummary) await api.settings.update({ morningSummaryAt: summaryAt })
        await api.schedulePreferences.create({
          name: 'Working hours',
          windows: [{ day: chosen.toSorted((one, other) => one - other), start, end }],
        })
      },
    })
    if (!ok) return
    // The first tasks are given this schedule, so it must be loaded by then.
    await cache.fetchQuery({ ...queries.preferences(), staleTime: 0 })
    onDone()
  }

  return (
    <Step
      title="When do you work?"
      lead="Tasks are planned inside these hours. You can add other schedules later."
      action={
        <Button look="primary" size="large" disabled={!isRight} onClick={() => void save()}>
          Continue
        </Button>
      }
    >
      <fieldset>
        <legend className="mb-1.5 text-xs font-medium text-ink-2">Days</legend>
        <div className="flex gap-1.5">
          {fromMonday.map((day) => (
            <button
              key={day}
              type="button"
              aria-pressed={chosen.includes(day)}
              className="h-10 flex-1 rounded-control border border-line-strong bg-raised font-medium text-ink-2 aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-on-ink"
              onClick={() =>
                setChosen(
                  chosen.includes(day) ? chosen.filter((each) => each !== day) : [...chosen, day],
                )
              }
            >
              {days[day]}
            </button>
          ))}
        </div>
      </fieldset>
      <div className="mt-4 grid grid-cols-2 gap-3">
        <TextField
          label="From"
          type="time"
          inputSize="large"
          value={start}
          onChange={({ target }) => setStart(target.value)}
        />
        <TextField
          label="Until"
          type="time"
          inputSize="large"
          value={end}
          error={start < end ? undefined : 'Must be after the start.'}
          onChange={({ target }) => setEnd(target.value)}
        />
      </div>
      <div className="mt-5 flex min-h-10 flex-wrap items-center gap-3">
        <Checkbox
          label="Send me a summary of the day each morning"
          checked={wantsSummary}
          onChange={({ target }) => setWantsSummary(target.checked)}
        />
        {wantsSummary && (
          <input
            type="time"
            aria-label="Time of the summary"
            className="input w-28"
            required
            value={summaryAt}
            onChange={({ target }) => setSummaryAt(target.value || '07:00')}
          />
        )}
      </div>
    </Step>
  )
}
