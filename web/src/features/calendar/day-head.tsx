import { Diamond, Repeat } from 'lucide-react'
import { formatHours } from '../../time/format.ts'
import { hue } from '../../ui/badge.tsx'

export type Due = { id: string; title: string; color: string | null }

type Props = {
  day: Temporal.PlainDate
  isToday: boolean
  plannedMinutes: number
  openMinutes: number
  due: Due[]
  /** Titles of all-day events. */
  allDay: string[]
  /** Titles of occurrences of recurring work whose tasks do not exist yet. */
  coming: string[]
  onOpen: () => void
}

/** The date, how full the day is, the tasks due on it, all-day events and recurring work to come. */
export function DayHead(props: Props) {
  const { day, isToday, plannedMinutes, openMinutes, due, allDay, coming, onOpen } = props
  const weekday = day.toLocaleString(undefined, { weekday: 'short' })
  const full = openMinutes > 0 ? plannedMinutes / openMinutes : plannedMinutes > 0 ? 1 : 0
  const capacity = `${formatHours(plannedMinutes)} planned of ${formatHours(openMinutes)}`
  return (
    <div className="day-head">
      <div className="flex items-center gap-1.5">
        <button
          type="button"
          className="day-number"
          data-today={isToday || undefined}
          aria-label={day.toLocaleString(undefined, {
            weekday: 'long',
            day: 'numeric',
            month: 'long',
          })}
          onClick={onOpen}
        >
          {day.day}
        </button>
        <span className={isToday ? 'font-semibold' : 'text-ink-2'} aria-hidden="true">
          {weekday}
        </span>
        {plannedMinutes > 0 && (
          <span className="day-hours ml-auto text-xs text-ink-3 tabular">
            {formatHours(plannedMinutes)}
          </span>
        )}
      </div>
      <div
        className="meter"
        role="meter"
        aria-label={capacity}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(Math.min(1, full) * 100)}
        data-over={full > 1.001 || undefined}
        data-tip={capacity}
      >
        <div style={{ width: `${Math.min(100, full * 100)}%` }} />
      </div>
      <DayMarks {...{ due, allDay, coming }} />
    </div>
  )
}

/** The due tasks, all-day events and coming occurrences of the day. */
function DayMarks({ due, allDay, coming }: Pick<Props, 'due' | 'allDay' | 'coming'>) {
  const [first] = due
  return (
    <div className="flex h-4 items-center gap-1 text-2xs text-ink-2">
      {first && (
        <>
          <Diamond
            size={8}
            aria-hidden="true"
            className="hue flex-none fill-bar text-bar"
            style={hue(first.color)}
          />
          <span className="truncate" data-tip={`Due: ${due.map(({ title }) => title).join(', ')}`}>
            <span className="sr-only">Due: </span>
            {first.title}
          </span>
          {due.length > 1 && <span className="flex-none text-ink-3">+{due.length - 1}</span>}
        </>
      )}
      {allDay.length > 0 && (
        <span className="truncate text-ink-3" data-tip={`All day: ${allDay.join(', ')}`}>
          <span className="sr-only">All day: </span>
          {allDay.join(', ')}
        </span>
      )}
      {coming.length > 0 && (
        <span
          className="flex min-w-0 items-center gap-0.5 text-ink-3"
          data-tip={`Will repeat: ${coming.join(', ')}`}
        >
          <Repeat size={9} aria-hidden="true" className="flex-none" />
          <span className="truncate">
            <span className="sr-only">Will repeat: </span>
            {coming.join(', ')}
          </span>
        </span>
      )}
    </div>
  )
}
