// What a plan changes in the calendar: as it is written, and as the API shows it.
import type { FullPlannerRun } from '@daywright/contract'
import type { Block, Plan, PlannedBlock, Problem, Task } from '@daywright/scheduler'

/**
 * What a plan is made from: the problem, the missed blocks, which the run cancels, and the events of other
 * calendars, which are among the blocks of the problem once it is parsed (`parseProblem`).
 */
export type PlannerInput = Problem & { missed: MissedBlock[]; busy?: Span[] }
type Span = { startAt: number; endAt: number }
export type MissedBlock = { blockId: string; taskId: string; startAt: number; endAt: number }

export type TitledBlock = PlannedBlock & { title: string }

/** A block that a run may replace, with all its content. */
export type OwnBlock = Omit<TitledBlock, 'taskId'> & { id: string; taskId: string | null }

/** What a plan changes in the calendar. */
export type Changes = {
  /** The blocks that the plan replaces. */
  cancel: string[]
  /** Those of them that stay, because the plan has an equal block at the same time. */
  stay?: Set<string>
  create: TitledBlock[]
  /** The missed blocks, which are cancelled as such. */
  missed: string[]
}

/** The plan's changes; new blocks get the titles that their tasks had when the plan was made. */
export function changesOf({ cancel, create }: Plan, { tasks, missed }: PlannerInput): Changes {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]))
  return {
    cancel,
    create: create.map((block) => ({ ...block, title: titles.get(block.taskId) ?? '' })),
    missed: missed.map(({ blockId }) => blockId),
  }
}

/** Drops changes that would replace a block by an equal one. */
export function onlyDifference(changes: Changes, own: OwnBlock[]): Changes {
  const { create } = changes
  const likes = new Map(own.map((block) => [contentOf(block), block.id]))
  const stay = new Set(create.flatMap((block) => likes.get(contentOf(block)) ?? []))
  return { ...changes, stay, create: create.filter((block) => !likes.has(contentOf(block))) }
}

const contentOf = ({
  taskId,
  title,
  startAt,
  endAt,
  defended,
  explanation,
}: Omit<OwnBlock, 'id'>) =>
  JSON.stringify([
    taskId,
    title,
    startAt,
    endAt,
    defended,
    explanation?.replace(unchangedSince, ''),
  ])

/** The scheduler says this of every block that it keeps: it alone is no difference. */
const unchangedSince = /^Unchanged since [^.]+\. /

type Detail = Pick<FullPlannerRun, 'blocks' | 'atRisk' | 'unscheduled' | 'missed' | 'needsEstimate'>

/** Compares the calendar before and after a plan, task by task. */
export function compareCalendars(problem: PlannerInput, plan: Plan): Detail {
  const titles = new Map(problem.tasks.map(({ id, title }) => [id, title]))
  const titleOf = (id: string | null) => (id && titles.get(id)) || ''
  const planned = (block: PlannedBlock) => ({
    taskId: block.taskId,
    title: titleOf(block.taskId),
    ...timeRangeOf(block),
    defended: block.defended,
    explanation: block.explanation,
  })
  const blocks: Detail['blocks'] = { unchanged: [], moved: [], added: [], removed: [] }

  const cancelled = new Set(plan.cancel)
  const before = byTask(problem.blocks.filter(({ id }) => cancelled.has(id)))
  for (const [taskId, after] of byTask(plan.create)) {
    const left = [...(before.get(taskId) ?? [])]
    const others: PlannedBlock[] = []
    for (const block of after) {
      // One to one: two blocks may have the same time.
      const at = left.findIndex((old) => isAt(old, block))
      if (at < 0) others.push(block)
      else {
        left.splice(at, 1)
        blocks.unchanged.push(planned(block))
      }
    }
    for (const block of others) {
      const from = left.shift()
      if (from) blocks.moved.push({ ...planned(block), from: timeRangeOf(from) })
      else blocks.added.push(planned(block))
    }
    before.set(taskId, left)
  }
  for (const [taskId, gone] of before) {
    blocks.removed.push(
      ...gone.map((old) => ({ taskId, title: titleOf(taskId), ...timeRangeOf(old) })),
    )
  }
  return {
    blocks,
    atRisk: plan.atRisk,
    unscheduled: plan.unscheduled,
    missed: problem.missed.map((block) => ({
      blockId: block.blockId,
      taskId: block.taskId,
      ...timeRangeOf(block),
    })),
    needsEstimate: problem.tasks
      .filter((task) => isOpen(task) && task.autoSchedule && task.estimateMinutes === null)
      .map(({ id, title }) => ({ taskId: id, title })),
  }
}

const isOpen = ({ status }: Task) => !['completed', 'cancelled', 'archived'].includes(status)

type TimeRange = Pick<Block, 'startAt' | 'endAt'>

const isAt = (a: TimeRange, b: TimeRange) => a.startAt === b.startAt && a.endAt === b.endAt
const timeRangeOf = ({ startAt, endAt }: TimeRange) => ({
  startAt: new Date(startAt),
  endAt: new Date(endAt),
})

function byTask<Item extends TimeRange & { taskId: string | null }>(items: Item[]) {
  const inOrder = items.toSorted((a, b) => a.startAt - b.startAt)
  return Map.groupBy(inOrder, ({ taskId }) => taskId)
}
