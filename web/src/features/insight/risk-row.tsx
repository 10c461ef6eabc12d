import { useZone } from '../../data/profile.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Clock, Scissors } from 'lucide-react'
import { giveHours, updatePreference } from '../../data/actions/schedule-preferences.ts'
import { changeTasks } from '../../data/actions/change-tasks.ts'
import type { Action } from '../../data/action.ts'
import { plannersWindows } from '../../data/preferences.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatMinutes, formatDayInText, formatWhenInText } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { laterDue, lessWork, longerDays, preferenceOf, type Risk } from './suggestions.ts'

type Props = { risk: Risk; isBusy: boolean; onTake: (way: Action) => void }

export function RiskRow({ risk, isBusy, onTake }: Props) {
  const { task, text, proof } = risk
  const zone = useZone()
  const now = useNow()
  return (
    <li className="border-t py-3">
      <div className="flex items-baseline gap-3">
        <Link
          to="/tasks/$id"
          params={{ id: task.id }}
          className="min-w-0 flex-1 truncate font-medium hover:underline"
        >
          {task.title}
        </Link>
        {task.dueAt && (
          <span className="flex-none text-xs text-signal-ink tabular">
            due {formatWhenInText(task.dueAt, zone, now)}
          </span>
        )}
      </div>
      <p className="mt-0.5 text-ink-2">{text}</p>
      {proof && !text.includes(proof) && <p className="mt-0.5 text-xs text-ink-3">{proof}</p>}
      <Suggestions risk={risk} isBusy={isBusy} onTake={onTake} />
    </li>
  )
}

/** One click each: longer hours, a later due date, or less work. */
function Suggestions({ risk, isBusy, onTake }: Props) {
  const { task } = risk
  const { data: preferences = [] } = useQuery(queries.preferences())
  const zone = useZone()
  const now = useNow()
  const due = laterDue(risk, now, zone)
  const less = lessWork(risk)
  const preference = preferenceOf(task, preferences)
  const dueDay = formatDayInText(due, zone, now)

  const moreTime = (): Action =>
    preference
      ? updatePreference(
          preference,
          { windows: longerDays(preference.windows) },
          `“${preference.name}” is one hour longer each day.`,
        )
      : (giveHours(task, 'Longer hours', longerDays(plannersWindows)) as Action)

  return (
    <div
      className="mt-2 flex flex-wrap gap-1.5"
      role="group"
      aria-label={`Suggestions for “${task.title}”`}
    >
      <Button disabled={isBusy} onClick={() => onTake(moreTime())}>
        <Clock size={14} aria-hidden="true" /> Extend my hours by 1 h
      </Button>
      {task.dueAt && (
        <Button
          disabled={isBusy}
          onClick={() =>
            onTake(
              changeTasks(
                [task],
                () => ({ changes: { dueAt: due.toISOString() }, shown: { dueAt: due } }),
                `“${task.title}” is due ${dueDay}.`,
              ),
            )
          }
        >
          <CalendarClock size={14} aria-hidden="true" /> Move due date to {dueDay}
        </Button>
      )}
      {task.estimateMinutes !== null && less < task.estimateMinutes && (
        <Button
          disabled={isBusy}
          onClick={() =>
            onTake(
              changeTasks(
                [task],
                () => ({ changes: { estimateMinutes: less }, shown: { estimateMinutes: less } }),
                `Shortened “${task.title}” to ${formatMinutes(less)}.`,
              ),
            )
          }
        >
          <Scissors size={14} aria-hidden="true" /> Shorten to {formatMinutes(less)}
        </Button>
      )}
    </div>
  )
}
