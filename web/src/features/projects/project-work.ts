// Open, planned and completed work of a project.
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { lengthOf, useFortnight } from '../../data/fortnight.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'

const doneQuery = (projectId: string) =>
  queryOptions({
    // Not under the project's own key, because the data cached there is a project.
    queryKey: ['project', 'done', projectId],
    queryFn: async () => {
      const page = await api.tasks.list({ projectId, status: 'completed', limit: 1 })
      return page.pagination.total
    },
  })

export const useDone = (projectId: string) => useQuery(doneQuery(projectId)).data ?? 0

export const useDoneOfAll = (projectIds: string[]) =>
  useQueries({
    queries: projectIds.map(doneQuery),
    combine: (answers) =>
      new Map(projectIds.map((id, index) => [id, answers[index]?.data ?? 0] as const)),
  })

export type Work = { open: number; openMinutes: number; plannedMinutes: number }
const nothing: Work = { open: 0, openMinutes: 0, plannedMinutes: 0 }

/** The work of every project with open tasks, computed in one pass. */
export function useWorkByProject() {
  const { data: tasks = [] } = useQuery(queries.openTasks())
  const { blocks } = useFortnight()
  const now = useNow()
  const projectOf = new Map(tasks.map(({ id, projectId }) => [id, projectId]))
  const work = new Map<string, Work>()
  const add = (projectId: string | null | undefined, more: Partial<Work>) => {
    if (!projectId) return
    const sum = work.get(projectId) ?? nothing
    work.set(projectId, {
      open: sum.open + (more.open ?? 0),
      openMinutes: sum.openMinutes + (more.openMinutes ?? 0),
      plannedMinutes: sum.plannedMinutes + (more.plannedMinutes ?? 0),
    })
  }
  for (const { projectId, estimateMinutes } of tasks)
    add(projectId, { open: 1, openMinutes: estimateMinutes ?? 0 })
  for (const block of blocks) {
    if (block.status !== 'scheduled' || block.endAt <= now || block.taskId === null) continue
    add(projectOf.get(block.taskId), { plannedMinutes: lengthOf(block) })
  }
  return (projectId: string) => work.get(projectId) ?? nothing
}
