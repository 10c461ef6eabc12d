import type { SchedulePreference } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import type { Action } from '../../data/action.ts'
import { extendDefaultHours, updatePreference } from '../../data/actions/schedule-preferences.ts'
import { setDate } from '../../data/actions/task-fields.ts'
import { plannersWindows, useSchedulesInUse } from '../../data/schedules.ts'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { describeChange, describeEffect, type WayOut } from './forecast-texts.ts'

type Props = { isBusy: boolean; onTake: (action: Action) => void }

/** Changes after which late or left-over work fits, each with its effect on the plan. */
export function WaysOut({ isBusy, onTake }: Props) {
  const { data: forecast } = useQuery(queries.forecast())
  const { data: tasks = [] } = useQuery(queries.openTasks())
  const inUse = useSchedulesInUse()
  const zone = useZone()
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const titleOf = (id: string) => byId.get(id)?.title ?? 'A task'
  if (!forecast || forecast.waysOut.length === 0) return null

  /** Returns undefined if the task or the schedule no longer exists. */
  function actionFor({ change }: WayOut): Action | undefined {
    if (change.kind === 'extend') return extendHours(change, inUse)
    const task = byId.get(change.taskId)
    return task && setDate([task], 'startAfter', change.startAfter, `Postponed “${task.title}”.`)
  }

  return (
    <section aria-labelledby="ways-out" className="mb-4 rounded-lg border bg-raised p-4">
      <h3 id="ways-out" className="mb-1 font-semibold">
        What would help
      </h3>
      <ul>
        {forecast.waysOut.map((way) => {
          const text = describeChange(way, titleOf, zone)
          const action = actionFor(way)
          return (
            <li key={text} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-2">
              <div className="min-w-60 flex-1">
                <p className="font-medium">{text}</p>
                <p className="text-ink-2">{describeEffect(way, titleOf)}</p>
              </div>
              <Button
                disabled={isBusy || !action}
                aria-label={`Apply: ${text}`}
                onClick={() => action && onTake(action)}
              >
                Apply
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type Extension = Extract<WayOut['change'], { kind: 'extend' }>

function extendHours(
  { windows, added }: Extension,
  inUse: readonly (SchedulePreference | undefined)[],
): Action | undefined {
  if (!windows) return extendDefaultHours([...plannersWindows, added]) as Action
  const used = JSON.stringify(windows)
  const preference = inUse.find((each) => each && JSON.stringify(each.windows) === used)
  return (
    preference &&
    updatePreference(
      preference,
      { windows: [...windows, added] },
      `“${preference.name}” is an hour longer.`,
    )
  )
}
