import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { dayNames, fromMonday } from './cells.ts'
import { addHours, type Week } from './week-ranges.ts'

const minutesOf = (clock: string) => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

/** Hours to the minute, as an alternative to painting. */
export function HoursForm({ week, onChange }: { week: Week; onChange: (week: Week) => void }) {
  const [days, setDays] = useState<number[]>([])
  const [from, setFrom] = useState('09:00')
  const [until, setUntil] = useState('12:00')
  const isOvernight = until !== '' && until <= from && until !== '00:00'

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(addHours(week, days, minutesOf(from), minutesOf(until)))
        setDays([])
      }}
    >
      <fieldset className="flex flex-wrap gap-1">
        <legend className="mb-1.5 text-xs font-medium text-ink-2">Days</legend>
        {fromMonday.map((day) => (
          <button
            key={day}
            type="button"
            aria-pressed={days.includes(day)}
            className="h-8 min-w-11 flex-1 rounded-control border border-line-strong bg-raised px-1 text-xs font-medium text-ink-2 aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-on-ink"
            onClick={() =>
              setDays(days.includes(day) ? days.filter((each) => each !== day) : [...days, day])
            }
          >
            {dayNames[day]}
          </button>
        ))}
      </fieldset>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="From"
          type="time"
          required
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <TextField
          label="Until"
          type="time"
          required
          value={until}
          hint={
            isOvernight ? 'The next morning. Saved as two windows, one for each day.' : undefined
          }
          onChange={({ target }) => setUntil(target.value)}
        />
      </div>
      <div>
        <Button type="submit" disabled={days.length === 0 || from === until}>
          Add these hours
        </Button>
      </div>
    </form>
  )
}
