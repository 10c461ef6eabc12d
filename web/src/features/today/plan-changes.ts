// What an automatic run has changed, as far as it still holds.
import type { FullPlannerRun, ListedTimeBlock, PlannerRun } from '@daywright/contract'
import { formatTime, formatWhen, formatWhenInText } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'

export type PlanChange = {
  key: string
  kind: 'late' | 'moved' | 'new'
  taskId: string
  title: string
  text: string
}

type Given = {
  run: FullPlannerRun
  /** The latest runs, newest first. */
  runs: PlannerRun[]
  /** The blocks of the coming weeks. */
  blocks: ListedTimeBlock[]
  zone: Zone
  now: Date
}

/** Late tasks first, then moved blocks, then new ones. Blocks that replace missed ones are listed as unfinished. */
export function planChangesOf({ run, runs, blocks, zone, now }: Given): PlanChange[] {
  const { moved, added, unchanged } = run.blocks
  const titles = new Map(
    [...unchanged, ...moved, ...added].map((each) => [each.taskId, each.title]),
  )
  const late = newlyLate(run, runs)
  const again = new Set(run.missed?.map(({ taskId }) => taskId))
  const there = new Set(
    blocks
      .filter(({ status }) => status !== 'cancelled')
      .map(({ taskId, startAt }) => placeOf(taskId, startAt)),
  )
  const holds = ({ taskId, startAt }: { taskId: string; startAt: Date }) =>
    there.has(placeOf(taskId, startAt))
  return [
    ...run.atRisk.flatMap(({ taskId, text }) => {
      const title = titles.get(taskId)
      if (title === undefined || !late.has(taskId)) return []
      return [{ key: `late ${taskId}`, kind: 'late' as const, taskId, title, text }]
    }),
    ...moved.filter(holds).map(({ taskId, title, startAt, endAt, from }) => ({
      key: `move ${placeOf(taskId, startAt)}`,
      kind: 'moved' as const,
      taskId,
      title,
      text:
        from.startAt.getTime() === startAt.getTime()
          ? `${formatWhen(startAt, zone, now)}, until ${formatTime(from.endAt, zone)} → ${formatTime(endAt, zone)}`
          : `${formatWhen(from.startAt, zone, now)} → ${formatWhen(startAt, zone, now)}`,
    })),
    ...added
      .filter((each) => holds(each) && !again.has(each.taskId))
      .map(({ taskId, title, startAt }) => ({
        key: `new ${placeOf(taskId, startAt)}`,
        kind: 'new' as const,
        taskId,
        title,
        text: `new, ${formatWhenInText(startAt, zone, now)}`,
      })),
  ]
}

const placeOf = (taskId: string | null, startAt: Date) => `${taskId} ${startAt.getTime()}`

/** The tasks that were in time before this run and are late since. */
function newlyLate(run: FullPlannerRun, runs: PlannerRun[]) {
  const applied = runs.filter(({ state }) => state === 'applied')
  const at = applied.findIndex(({ id }) => id === run.id)
  const idsOf = (index: number) => new Set(applied[index]?.result.atRiskTaskIds)
  const before = at === -1 ? new Set<string>() : idsOf(at + 1)
  return idsOf(0).difference(before)
}
