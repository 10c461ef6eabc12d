import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { type DayLoad, loadOf, useFortnight } from '../../data/fortnight.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatDay, formatHours, formatWhen } from '../../time/format.ts'
import { startOfDay } from '../../time/zone.ts'

const LoadChart = lazy(() =>
  import('../../ui/chart/load-chart.tsx').then(({ LoadChart: it }) => ({ default: it })),
)
const height = 220

export function FortnightLoad() {
  const fortnight = useFortnight()
  const { zone } = fortnight
  const { data: forecast } = useQuery(queries.forecast())
  const now = useNow()
  const days = loadOf(fortnight, now)
  const capacity = sum(days, ({ capacityMinutes }) => capacityMinutes)
  const planned = sum(days, ({ plannedMinutes }) => plannedMinutes)
  const free = sum(days, (day) => Math.max(0, day.capacityMinutes - day.plannedMinutes))
  const fullest = days.toSorted((one, other) => other.plannedMinutes - one.plannedMinutes)[0]
  return (
    <section aria-labelledby="fortnight">
      <h2 id="fortnight" className="mb-3 text-base font-semibold">
        The next 14 days
      </h2>
      <dl className="mb-5 grid grid-cols-2 gap-4 md:grid-cols-5">
        <Figure label="Planned" value={formatHours(planned)} />
        <Figure label="Working time" value={formatHours(capacity)} />
        <Figure label="Still free" value={formatHours(free)} />
        <Figure
          label="Fullest day"
          value={
            fullest && fullest.plannedMinutes > 0
              ? `${formatDay(startOfDay(fullest.day, zone), zone)}, ${formatHours(fullest.plannedMinutes)}`
              : 'None'
          }
        />
        {forecast?.bookedOutUntil && (
          <Figure label="Booked out until" value={formatWhen(forecast.bookedOutUntil, zone, now)} />
        )}
      </dl>
      <Suspense fallback={<div style={{ height }} />}>
        <LoadChart
          caption="Planned against working time, day by day"
          days={days}
          zone={zone}
          height={height}
        />
      </Suspense>
    </section>
  )
}

const sum = (days: DayLoad[], of: (day: DayLoad) => number) =>
  days.reduce((all, day) => all + of(day), 0)

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-xs text-ink-3">{label}</dt>
    <dd className="text-lg font-semibold tabular">{value}</dd>
  </div>
)
