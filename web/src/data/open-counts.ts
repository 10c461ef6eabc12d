import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from './queries.ts'

/** The number of open tasks by space and project id; empty until a screen has loaded them. */
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
