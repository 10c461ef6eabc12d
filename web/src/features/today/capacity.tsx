import { formatHours } from '../../time/format.ts'
import type { Day } from './day.ts'

/** The work that is still to come, beside the working time that is left without meetings and lunch. */
export function Capacity({ day }: { day: Day }) {
  const { openMinutes, workingMinutes, workingMinutesLeft, leftMinutes } = day
  const spare = leftMinutes - openMinutes
  // Less than 15 minutes too much is not flagged: a block may end slightly after the working hours.
  const isOver = spare <= -15
  const most = Math.max(openMinutes, leftMinutes, 1)
  const words =
    workingMinutes === 0
      ? 'No working hours today.'
      : isOver
        ? `${formatHours(-spare)} more than the day has left.`
        : workingMinutesLeft === 0
          ? 'Your working hours are over.'
          : spare < 15
            ? 'The rest of the day is full.'
            : `${formatHours(spare)} of the day is still free.`
  return (
    <section aria-label="Capacity">
      <div className="mb-1.5 flex items-baseline">
        <h2 className="flex-1 text-xs font-semibold">Capacity</h2>
        <span className="text-xs text-ink-2 tabular">
          {formatHours(openMinutes)} of {formatHours(leftMinutes)} left
        </span>
      </div>
      <div
        role="meter"
        aria-label="Planned of the working time left"
        aria-valuemin={0}
        aria-valuemax={Math.round(leftMinutes)}
        aria-valuenow={Math.round(Math.min(openMinutes, leftMinutes))}
        aria-valuetext={words}
        className="relative flex h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <span
          className={isOver ? 'bg-signal' : 'bg-ink-3'}
          style={{ width: `${(openMinutes / most) * 100}%` }}
        />
      </div>
      <p className={`mt-1.5 text-xs tabular ${isOver ? 'text-signal-ink' : 'text-ink-3'}`}>
        {words}
      </p>
    </section>
  )
}
