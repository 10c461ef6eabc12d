import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { useZone } from '../../data/profile.ts'
import { dayOf, startOfDay } from '../../time/zone.ts'
import { completedQuery, estimatedOf, describeRatio, pastDays, ratioOf } from './estimates.ts'

const EstimateChart = lazy(() =>
  import('../../ui/chart/estimate-chart.tsx').then(({ EstimateChart: it }) => ({ default: it })),
)
const most = 8

export function EstimatesAgainstActuals() {
  const zone = useZone()
  const today = dayOf(useNow(), zone)
  const since = startOfDay(today.subtract({ days: pastDays }), zone)
  const until = startOfDay(today.add({ days: 1 }), zone)
  const { data: tasks } = useQuery(completedQuery())
  const { data: blocks } = useQuery(queries.blocks(since, until))
  if (!tasks || !blocks) return null
  const estimated = estimatedOf(tasks, blocks, since)
  const ratio = ratioOf(estimated)
  return (
    <section aria-labelledby="estimates">
      <h2 id="estimates" className="mb-2 text-base font-semibold">
        Estimate accuracy
      </h2>
      {ratio === undefined ? (
        <p className="text-ink-3">
          Complete a few tasks that have an estimate and planned blocks to see how accurate your
          estimates are.
        </p>
      ) : (
        <>
          <p className="mb-3 text-ink-2">
            {describeRatio(ratio)}{' '}
            <span className="text-ink-3">
              From {estimated.length} {estimated.length === 1 ? 'task' : 'tasks'} of the last four
              weeks.
            </span>
          </p>
          <Suspense>
            <EstimateChart
              caption="Estimate and time taken of recently completed tasks"
              tasks={estimated.slice(0, most)}
            />
          </Suspense>
        </>
      )}
    </section>
  )
}
