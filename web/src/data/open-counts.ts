import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from './queries.ts'

/** How many tasks are open in each space and project, by its id; none before a screen has asked. */
export function useOpenCounts() {
  const { data } = useQuery({ ...queries.openTasks(), enabled: false })
  return useMemo(() => {
    const counts = new Map<string | null, number>()
    for (const { spaceId, projectId } of data ?? []) {
      counts.set(spaceId, (counts.get(spaceId) ?? 0) + 1)
      counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
    }
    return counts
  }, [data])
}
