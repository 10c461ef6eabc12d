import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { applyPlan, undoPlan } from '../../data/actions/planner.ts'
import { api } from '../../data/api.ts'
import { cache } from '../../data/query-client.ts'
import { keys } from '../../data/keys.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'

/** The shown plan, as a preview or as applied; its id is in the URL. */
export function usePlan(runId: string | undefined, show: (runId: string | undefined) => void) {
  const [isBusy, setBusy] = useState(false)
  const { data: run } = useQuery({ ...queries.run(runId ?? ''), enabled: runId !== undefined })

  async function preview({ fromScratch = false } = {}) {
    if (isBusy) return
    setBusy(true)
    const outcome = await perform({
      send: () => api.planner.preview(fromScratch ? { fromScratch } : undefined),
    })
    setBusy(false)
    if (!outcome.ok) return
    cache.setQueryData(keys.run(outcome.answer.id), outcome.answer)
    show(outcome.answer.id)
  }

  async function apply() {
    if (!run || isBusy) return
    setBusy(true)
    const outcome = await perform(applyPlan(run.id))
    setBusy(false)
    if (outcome.ok) cache.setQueryData(keys.run(run.id), { ...run, state: 'applied' as const })
    // The data has probably changed since the preview, so preview again.
    else await preview()
  }

  async function undo() {
    if (!run || isBusy) return
    setBusy(true)
    const { ok } = await perform(undoPlan(run.id))
    setBusy(false)
    if (ok) show(undefined)
  }

  return { run: runId === undefined ? undefined : run, isBusy, preview, apply, undo }
}
