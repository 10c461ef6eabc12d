// Runs the planner at once after a change that requires a new time for a task.
import { now } from '../../time/clock.ts'
import { formatWhenInText } from '../../time/format.ts'
import { api, Refusal } from '../api.ts'
import { currentZone } from '../profile.ts'
import { handleUnauthorized } from '../query-client.ts'

/** `startAt` is the next planned time of the task. Undefined if the run failed, but the change itself stays. */
export type Replanned = { runId: string; startAt: Date | undefined } | undefined

export async function replan(taskId: string | null): Promise<Replanned> {
  try {
    const { runId } = await api.planner.run()
    const { blocks } = await api.planner.get(runId)
    const starts = [...blocks.unchanged, ...blocks.moved, ...blocks.added]
      .filter((block) => block.taskId === taskId && block.endAt > now())
      .map(({ startAt }) => startAt.getTime())
    return { runId, startAt: starts.length > 0 ? new Date(Math.min(...starts)) : undefined }
  } catch (error) {
    handleUnauthorized(error)
    return undefined
  }
}

/** `“Write” is now planned for tomorrow 9:00.` Undefined if the planner did not run. */
export function sayWhere(replanned: Replanned, { title }: { title: string }) {
  if (!replanned) return undefined
  return replanned.startAt
    ? `“${title}” is now planned for ${formatWhenInText(replanned.startAt, currentZone(), now())}.`
    : `“${title}” doesn’t fit into the next two weeks.`
}

/** Undoes the run. If the service refuses (409) because a later run exists, the next run corrects the plan. */
export async function undoReplan(replanned: Replanned) {
  if (!replanned) return
  await api.planner.undo(replanned.runId).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.status === 409)) throw error
  })
}
