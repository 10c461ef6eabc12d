import { type RefObject, useRef, useState } from 'react'
import { api } from '../../data/api.ts'
import { cache } from '../../data/query-client.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { Step } from './step.tsx'

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const fromMonday = [1, 2, 3, 4, 5, 6, 0]

export function WorkingHours({ onDone }: { onDone: () => void }) {
  const [chosen, setChosen] = useState([1, 2, 3, 4, 5])
  const [start, setStart] = useState('09:00')
  const [end, setEnd] = useState('17:00')
  const [wantsSummary, setWantsSummary] = useState(false)
  const [summaryAt, setSummaryAt] = useState('07:00')
  const [wantsLunch, setWantsLunch] = useState(false)
  const [lunchMinutes, setLunchMinutes] = useState(45)
  // The id of the created schedule, so that a retry after a failed request does not create it again.
  const made = useRef<string>(undefined)
  const isRight = chosen.length > 0 && start < end

  async function save() {
    const answers = {
      days: chosen,
      start,
      end,
      lunch: wantsLunch ? { from: '11:30', to: '14:00', minutes: lunchMinutes } : undefined,
      summaryAt: wantsSummary ? summaryAt : undefined,
    }
    const { ok } = await perform({ send: () => send(answers, made) })
    if (!ok) return
    await cache.fetchQuery({ ...queries.preferences(), staleTime: 0 })
    await cache.fetchQuery({ ...queries.settings(), staleTime: 0 })
    onDone()
  }

  return (
    <Step
      title="When do you work?"
      lead="Tasks are planned inside these hours. You can add other schedules later."
      action={
        <Button
          look="primary"
          size="large"
          autoFocus
          disabled={!isRight}
          onClick={() => void save()}
        >
          Continue
        </Button>
      }
    >
      <DayPicker chosen={chosen} onChange={setChosen} />
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
      <LunchChoice
        isOn={wantsLunch}
        minutes={lunchMinutes}
        onToggle={setWantsLunch}
        onChange={setLunchMinutes}
      />
      <SummaryChoice
        isOn={wantsSummary}
        time={summaryAt}
        onToggle={setWantsSummary}
        onChange={setSummaryAt}
      />
    </Step>
  )
}

type Answers = {
  days: number[]
  start: string
  end: string
  lunch: { from: string; to: string; minutes: number } | undefined
  summaryAt: string | undefined
}

async function send(answers: Answers, made: RefObject<string | undefined>) {
  const { days, start, end, lunch, summaryAt } = answers
  // This request is sent first, because it can be repeated safely if a later one is refused.
  if (lunch || summaryAt !== undefined) {
    await api.settings.update({
      ...(summaryAt !== undefined && { morningSummaryAt: summaryAt }),
      ...(lunch && { planning: { lunch } }),
    })
  }
  const id =
    made.current ??
    (
      await api.schedulePreferences.create({
        name: 'Working hours',
        windows: [{ day: days.toSorted((one, other) => one - other), start, end }],
      })
    ).id
  made.current = id
  await api.settings.update({ schedulePreferenceId: id })
}

type DayPickerProps = { chosen: number[]; onChange: (days: number[]) => void }

const DayPicker = ({ chosen, onChange }: DayPickerProps) => (
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
            onChange(
              chosen.includes(day) ? chosen.filter((each) => each !== day) : [...chosen, day],
            )
          }
        >
          {dayNames[day]}
        </button>
      ))}
    </div>
  </fieldset>
)

type LunchProps = {
  isOn: boolean
  minutes: number
  onToggle: (isOn: boolean) => void
  onChange: (minutes: number) => void
}

const LunchChoice = ({ isOn, minutes, onToggle, onChange }: LunchProps) => (
  <div className="mt-5 flex min-h-10 flex-wrap items-center gap-3">
    <Checkbox
      label="Keep time for lunch free"
      checked={isOn}
      onChange={({ target }) => onToggle(target.checked)}
    />
    {isOn && (
      <select
        aria-label="Length of lunch"
        className="input w-36"
        value={minutes}
        onChange={({ target }) => onChange(Number(target.value))}
      >
        {[30, 45, 60, 90].map((each) => (
          <option key={each} value={each}>
            {each} minutes
          </option>
        ))}
      </select>
    )}
  </div>
)

type SummaryProps = {
  isOn: boolean
  time: string
  onToggle: (isOn: boolean) => void
  onChange: (time: string) => void
}

const SummaryChoice = ({ isOn, time, onToggle, onChange }: SummaryProps) => (
  <div className="flex min-h-10 flex-wrap items-center gap-3">
    <Checkbox
      label="Send me a summary of the day each morning"
      checked={isOn}
      onChange={({ target }) => onToggle(target.checked)}
    />
    {isOn && (
      <input
        type="time"
        aria-label="Time of the summary"
        className="input w-28"
        required
        value={time}
        onChange={({ target }) => onChange(target.value || '07:00')}
      />
    )}
  </div>
)
