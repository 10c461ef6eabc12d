import { useZone } from '../../data/profile.ts'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { applyPlan } from '../../data/actions/planner.ts'
import { perform } from '../../data/run-mutation.ts'
import type { Action } from '../../data/action.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhenInText } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { RiskRow } from './risk-row.tsx'
import { WaysOut } from './ways-out.tsx'
import { useLatestRun } from './use-latest-run.ts'
import { risksOf } from './suggestions.ts'

/** Tasks that will be late or do not fit, with suggestions for each. */
export function AtRisk() {
  const { run, isChecking, check, isNone } = useLatestRun()
  const { data: tasks = [] } = useQuery(queries.openTasks())
  const zone = useZone()
  const now = useNow()
  const risks = run ? risksOf(run, tasks) : []

  /** Applies a suggestion, and recalculates the plan at once. */
  async function take(action: Action) {
    const { ok } = await perform(action)
    if (ok) await check()
  }

  return (
    <section aria-labelledby="at-risk">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 id="at-risk" className="flex-1 text-base font-semibold">
          At risk <span className="font-normal text-ink-3 tabular">{run && risks.length}</span>
        </h2>
        {run?.state === 'preview' && (
          <Button look="primary" onClick={() => void perform(applyPlan(run.id))}>
            Apply this plan
          </Button>
        )}
        <Button disabled={isChecking} onClick={() => void check()}>
          {isChecking ? 'Recalculating…' : 'Recalculate'}
        </Button>
      </div>
      {run && (
        <p className="mb-3 text-xs text-ink-3 tabular">
          {run.state === 'preview'
            ? 'Based on an unapplied preview from '
            : 'Based on the plan from '}
          {formatWhenInText(run.plannedAt, zone, now)}.
        </p>
      )}
      {isNone && (
        <p className="text-ink-3">
          Nothing has been planned yet. Recalculate to see what will be late.
        </p>
      )}
      {run && risks.length === 0 && (
        <p className="flex items-center gap-2 text-ink-2">
          <CircleCheck size={16} className="text-good" aria-hidden="true" />
          Everything fits and is on time.
        </p>
      )}
      {risks.length > 0 && <WaysOut isBusy={isChecking} onTake={(way) => void take(way)} />}
      <ul aria-busy={isChecking}>
        {risks.map((risk) => (
          <RiskRow
            key={risk.task.id}
            risk={risk}
            isBusy={isChecking}
            onTake={(way) => void take(way)}
          />
        ))}
      </ul>
    </section>
  )
}
