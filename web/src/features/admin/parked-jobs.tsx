import { useZone } from '../../data/profile.ts'
import { useQuery } from '@tanstack/react-query'
import { discardJob, retryJob } from '../../data/actions/admin.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhenInText } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../settings/confirm-button.tsx'

/** Background jobs that have used up all their attempts. Most servers never have one. */
export function ParkedJobs() {
  const { data: jobs = [] } = useQuery(queries.jobs())
  const zone = useZone()
  const now = useNow()
  if (jobs.length === 0) return null
  return (
    <section aria-labelledby="parked-jobs">
      <h2
        id="parked-jobs"
        className="border-b bg-panel px-4 py-1.5 text-xs font-medium text-caution"
      >
        Failed background jobs <span className="tabular">{jobs.length}</span>
      </h2>
      <ul>
        {jobs.map((job) => (
          <li
            key={job.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-2.5"
          >
            <div className="min-w-48 flex-1">
              <p className="font-medium">
                {job.task} <span className="font-normal text-ink-3">for {job.key}</span>
              </p>
              <p className="text-xs text-signal-ink">{job.error}</p>
              <p className="text-xs text-ink-3 tabular">
                {job.attempts} attempts, gave up {formatWhenInText(job.parkedAt, zone, now)}
              </p>
            </div>
            <Button onClick={() => void perform(retryJob(job))}>Try again</Button>
            <ConfirmButton
              label={`Discard ${job.task}`}
              question="Discard permanently?"
              onConfirm={() => void perform(discardJob(job))}
            >
              Discard
            </ConfirmButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
