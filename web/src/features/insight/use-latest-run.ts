import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { cache } from '../../data/query-client.ts'
import { keys } from '../../data/keys.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'

/** The newest plan, applied or previewed; and a function to recalculate it. */
export function useLatestRun() {
  const { data: listed, isPending } = useQuery(queries.runs())
  const newest = listed?.runs.find(({ state }) => state !== 'undone')
  const { data: run } = useQuery({
    ...queries.run(newest?.id ?? ''),
    enabled: newest !== undefined,
  })
  const [isChecking, setChecking] = useState(false)

  async function check() {
    setChecking(true)
    const preview = await perform({ send: () => api.planner.preview(), refreshes: [keys.runs] })
    if (preview.ok) cache.setQueryData(keys.run(preview.answer.id), preview.answer)
    setChecking(false)
  }

  return { run, isChecking, check, isNone: !isPending && newest === undefined }
}
