import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhenInText } from '../../time/format.ts'
import { type Chance, describeChance } from './forecast-texts.ts'

/** How likely each due date is to be met, based on how accurate the user's estimates were so far. */
export function DueDateChances() {
  const { data: forecast } = useQuery(queries.forecast())
  const { data: tasks = [] } = useQuery(queries.openTasks())
  const titles = new Map(tasks.map(({ id, title }) => [id, title]))
  if (!forecast || forecast.chances.length === 0) return null
  const shown = forecast.chances.filter(({ likelihood }) => likelihood !== 'very likely')
  const others = forecast.chances.length - shown.length
  return (
    <section aria-labelledby="chances">
      <h2 id="chances" className="mb-2 text-base font-semibold">
        Chances of meeting your due dates
      </h2>
      <p className="mb-3 text-xs text-ink-3">{describeBasis(forecast.completedTasks)}</p>
      <ul>
        {shown.map((chance) => (
          <ChanceRow
            key={chance.taskId}
            chance={chance}
            title={titles.get(chance.taskId) ?? 'A task'}
          />
        ))}
      </ul>
      {others > 0 && (
        <p className="border-t py-3 text-ink-2">
          {shown.length === 0
            ? 'All due dates of the next 14 days are very likely to be met.'
            : `${others} other due ${others === 1 ? 'date is' : 'dates are'} very likely to be met.`}
        </p>
      )}
    </section>
  )
}

function describeBasis(completedTasks: number) {
  return completedTasks === 0
    ? 'Based on how much longer than estimated work usually takes. Track the time of your tasks to see your own figures.'
    : `Based on how long your last ${completedTasks} completed ${completedTasks === 1 ? 'task' : 'tasks'} took compared with the estimate.`
}

function ChanceRow({ chance, title }: { chance: Chance; title: string }) {
  const zone = useZone()
  const now = useNow()
  const words = describeChance(chance)
  const isUnlikely = chance.chance < 0.5
  return (
    <li className="border-t py-2.5">
      <div className="flex items-baseline gap-3">
        <Link
          to="/tasks/$id"
          params={{ id: chance.taskId }}
          className="min-w-0 flex-1 truncate font-medium hover:underline"
        >
          {title}
        </Link>
        <span className="flex-none text-xs text-ink-3 tabular">
          due {formatWhenInText(chance.dueAt, zone, now)}
        </span>
      </div>
      <div className="mt-1.5 flex items-center gap-3">
        <div
          role="meter"
          aria-label={`Chance that “${title}” is on time`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(chance.chance * 100)}
          aria-valuetext={words}
          className="flex h-1.5 flex-1 overflow-hidden rounded-full bg-sunken"
        >
          <span
            className={isUnlikely ? 'bg-signal' : 'bg-ink-3'}
            style={{ width: `${chance.chance * 100}%` }}
          />
        </div>
        <span
          className={`flex-none text-xs tabular ${isUnlikely ? 'text-signal-ink' : 'text-ink-2'}`}
        >
          {words}
        </span>
      </div>
    </li>
  )
}
