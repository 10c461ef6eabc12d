// Planning at once after a change that needs another time for a task.
import { now } from '../../time/clock.ts'
import { formatWhen } from '../../time/format.ts'
import { api, Refusal } from '../api.ts'
import { currentZone } from '../profile.ts'
import { handleUnauthorized } from '../query-client.ts'

/** `startAt` is when the task is planned next. Undefined if the run failed: the change itself stays. */
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

/** `“Write” is now planned for Tomorrow 9:00.` Undefined if nothing was planned. */
export function sayWhere(replanned: Replanned, { title }: { title: string }) {
  if (!replanned) return undefined
  return replanned.startAt
    ? `“${title}” is now planned for ${formatWhen(replanned.startAt, currentZone(), now())}.`
    : `“${title}” doesn’t fit into the next two weeks.`
}

/** If another run came after it, that one stays, and the next run corrects it. */
export async function undoReplan(replanned: Replanned) {
  if (!replanned) return
  await api.planner.undo(replanned.runId).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.status === 409)) throw error
  })
}
