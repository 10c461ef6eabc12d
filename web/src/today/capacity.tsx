import { formatHours } from '../time/format.ts'
import type { Day } from './day.ts'

/** How much of the working day is planned, also above its capacity. */
export function Capacity({ day }: { day: Day }) {
  const { plannedMinutes, doneMinutes, capacityMinutes, leftMinutes } = day
  const open = plannedMinutes - doneMinutes
  const isOver = plannedMinutes > capacityMinutes && plannedMinutes > 0
  const most = Math.max(plannedMinutes, capacityMinutes, 1)
  const percent = (minutes: number) => `${(minutes / most) * 100}%`
  const words =
    capacityMinutes === 0
      ? 'No working hours today.'
      : isOver
        ? `${formatHours(plannedMinutes - capacityMinutes)} more than the day has.`
        : open > leftMinutes
          ? `${formatHours(open)} of work, ${formatHours(leftMinutes)} of the day left.`
          : `${formatHours(Math.max(0, leftMinutes - open))} of the day is still free.`
  return (
    <section aria-label="Capacity">
      <div className="mb-1.5 flex items-baseline">
        <h2 className="flex-1 text-xs font-semibold">Capacity</h2>
        <span className="text-xs text-ink-2 tabular">
          {formatHours(plannedMinutes)} of {formatHours(capacityMinutes)}
        </span>
      </div>
      <div
        role="meter"
        aria-label="Planned of the working day"
        aria-valuemin={0}
        aria-valuemax={Math.round(capacityMinutes)}
        aria-valuenow={Math.round(Math.min(plannedMinutes, capacityMinutes))}
        aria-valuetext={words}
        className="relative flex h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <span className="bg-ink" style={{ width: percent(doneMinutes) }} />
        <span className={isOver ? 'bg-signal' : 'bg-ink-3'} style={{ width: percent(open) }} />
      </div>
      <p className={`mt-1.5 text-xs tabular ${isOver ? 'text-signal-ink' : 'text-ink-3'}`}>
        {words}
      </p>
    </section>
  )
}
