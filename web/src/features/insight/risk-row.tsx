import { useZone } from '../../data/profile.ts'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Clock, Scissors } from 'lucide-react'
import { extendDefaultHours, updatePreference } from '../../data/actions/schedule-preferences.ts'
import { changeTasks } from '../../data/actions/change-tasks.ts'
import type { Action } from '../../data/action.ts'
import { plannersWindows, useScheduleFinder } from '../../data/schedules.ts'
import { useNow } from '../../time/clock.ts'
import { formatMinutes, formatDayInText, formatWhenInText } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { laterDue, lessWork, longerDays, type Risk } from './suggestions.ts'

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
  const findSchedule = useScheduleFinder()
  const zone = useZone()
  const now = useNow()
  const due = laterDue(risk, now, zone)
  const less = lessWork(risk)
  const dueDay = formatDayInText(due, zone, now)

  function moreTime(): Action {
    const preference = findSchedule?.(task)
    if (!preference) return extendDefaultHours(longerDays(plannersWindows)) as Action
    const windows = longerDays(preference.windows)
    return updatePreference(
      preference,
      { windows },
      `“${preference.name}” is one hour longer each day.`,
    )
  }

  return (
    <div
      className="mt-2 flex flex-wrap gap-1.5"
      role="group"
      aria-label={`Suggestions for “${task.title}”`}
    >
      <Button disabled={isBusy || !findSchedule} onClick={() => onTake(moreTime())}>
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
