import type { FullProject } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { daysFrom, plannedOn, useFortnight } from '../../data/fortnight.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatHours } from '../../time/format.ts'
import { ProgressBar } from './progress-bar.tsx'
import { useDone, useWorkByProject } from './project-work.ts'

const BurnChart = lazy(() =>
  import('../../ui/chart/burn-chart.tsx').then(({ BurnChart: it }) => ({ default: it })),
)
const height = 170

/** The progress of a project, and its planned hours in the next two weeks. */
export function ProjectHours({ project }: { project: FullProject }) {
  const { data: tasks = [] } = useQuery(queries.openTasks())
  const { first, zone, blocks } = useFortnight()
  const now = useNow()
  const done = useDone(project.id)
  const { open, openMinutes, plannedMinutes } = useWorkByProject()(project.id)
  const own = new Set(tasks.filter(({ projectId }) => projectId === project.id).map(({ id }) => id))
  const ownBlocks = blocks.filter(
    ({ taskId, status, endAt }) =>
      taskId !== null && own.has(taskId) && status === 'scheduled' && endAt > now,
  )
  let leftMinutes = openMinutes
  const days = daysFrom(first).map((day) => {
    const planned = plannedOn(ownBlocks, day, zone)
    leftMinutes = Math.max(0, leftMinutes - planned)
    return { day, plannedMinutes: planned, leftMinutes }
  })
  const unplanned = Math.max(0, openMinutes - plannedMinutes)

  return (
    <section aria-labelledby="project-hours" className="flex flex-col gap-4">
      <div>
        <h2 id="project-hours" className="mb-2 text-base font-semibold">
          Progress
        </h2>
        <ProgressBar
          label="Progress of the project"
          done={done}
          all={done + open}
          color={project.color}
        />
        <p className="mt-1.5 text-ink-2 tabular">
          {done} of {done + open} tasks done
        </p>
      </div>
      <dl className="grid grid-cols-3 gap-2">
        <Figure label="Open" minutes={openMinutes} />
        <Figure label="Planned" minutes={Math.min(plannedMinutes, openMinutes)} />
        <Figure label="Not planned" minutes={unplanned} isWarning={unplanned > 0} />
      </dl>
      {openMinutes > 0 && (
        <Suspense fallback={<div style={{ height }} />}>
          <BurnChart
            caption={`Planned and open hours of ${project.name} in the next 14 days`}
            days={days}
            color={project.color}
            zone={zone}
            height={height}
          />
        </Suspense>
      )}
    </section>
  )
}

type FigureProps = { label: string; minutes: number; isWarning?: boolean }

const Figure = ({ label, minutes, isWarning }: FigureProps) => (
  <div>
    <dt className="text-xs text-ink-3">{label}</dt>
    <dd className={`text-lg font-semibold tabular ${isWarning ? 'text-caution' : ''}`}>
      {formatHours(minutes)}
    </dd>
  </div>
)
