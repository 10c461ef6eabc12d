import { readMinutes } from '@daywright/quick-add'
import { type SubmitEvent, useState } from 'react'
import { formatMinutes } from '../../../time/format.ts'

const usual = [15, 30, 45, 60, 90, 120, 180, 240]

type Props = { value: number | null; onPick: (minutes: number | null) => void }

export function EstimatePicker({ value, onPick }: Props) {
  const [text, setText] = useState(value ? formatMinutes(value) : '')
  const [isWrong, setWrong] = useState(false)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (text.trim() === '') return onPick(null)
    const minutes = readMinutes(text)
    if (minutes === undefined) setWrong(true)
    else onPick(minutes)
  }

  return (
    <form onSubmit={submit} className="w-56 p-2">
      <input
        autoFocus
        aria-label="How long it takes"
        aria-invalid={isWrong || undefined}
        aria-describedby="estimate-hint"
        className="input tabular"
        placeholder="45m, 2h, 1h 30m"
        value={text}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => {
          setText(target.value)
          setWrong(false)
        }}
      />
      <p
        id="estimate-hint"
        role={isWrong ? 'alert' : undefined}
        className={`mt-1 text-xs ${isWrong ? 'text-signal-ink' : 'text-ink-3'}`}
      >
        {isWrong
          ? 'Write it like 45m or 1h 30m, at most 16h.'
          : 'Press Enter to save. Leave it empty for no estimate.'}
      </p>
      <div className="mt-2 grid grid-cols-4 gap-1">
        {usual.map((minutes) => (
          <button
            key={minutes}
            type="button"
            aria-pressed={minutes === value}
            onClick={() => onPick(minutes)}
            className="task-chip justify-center aria-pressed:bg-press"
          >
            {formatMinutes(minutes)}
          </button>
        ))}
      </div>
    </form>
  )
}
