// Compares estimates with the time of the completed blocks.
import type { ListedTask, ListedTimeBlock } from '@daywright/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { lengthOf } from '../../data/fortnight.ts'

export const pastDays = 28

export const completedQuery = () =>
  queryOptions({
    queryKey: ['tasks', 'completed'],
    queryFn: () => Array.fromAsync(api.tasks.all({ status: 'completed' })),
  })

export type Estimated = {
  id: string
  title: string
  estimateMinutes: number
  actualMinutes: number
}

/** Completed tasks, the latest first. Tasks without an estimate or without a completed block are skipped. */
export function estimatedOf(
  tasks: ListedTask[],
  blocks: ListedTimeBlock[],
  since: Date,
): Estimated[] {
  const actual = new Map<string, number>()
  for (const block of blocks) {
    if (block.status !== 'completed' || block.taskId === null) continue
    actual.set(block.taskId, (actual.get(block.taskId) ?? 0) + lengthOf(block))
  }
  return tasks
    .filter(({ completedAt }) => completedAt !== null && completedAt >= since)
    .toSorted((one, other) => Number(other.completedAt) - Number(one.completedAt))
    .flatMap(({ id, title, estimateMinutes }) => {
      const actualMinutes = actual.get(id)
      if (!estimateMinutes || actualMinutes === undefined) return []
      return { id, title, estimateMinutes, actualMinutes }
    })
}

/** The ratio of actual to estimated time, over all tasks. */
export function ratioOf(estimated: Estimated[]) {
  const thought = estimated.reduce((sum, { estimateMinutes }) => sum + estimateMinutes, 0)
  const took = estimated.reduce((sum, { actualMinutes }) => sum + actualMinutes, 0)
  return thought === 0 ? undefined : took / thought
}

export function describeRatio(ratio: number) {
  if (ratio > 1.05) return `Work takes ${percent(ratio - 1)} longer than you think.`
  if (ratio < 0.95) return `Work is done in ${percent(1 - ratio)} less time than you think.`
  return 'Work takes as long as you think.'
}

const percent = (part: number) => `${Math.round(part * 100)}%`
