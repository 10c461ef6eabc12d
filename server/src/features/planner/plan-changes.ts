// What a plan changes in the calendar: as it is written, and as the API shows it.
import type { FullPlannerRun } from '@daywright/contract'
import type { Block, Plan, PlannedBlock, Problem, Task } from '@daywright/scheduler'
import { withoutUnchangedSince } from './unchanged-since.ts'

/**
 * What a plan is made from: the problem, the missed blocks, which the run cancels, and the events of other
 * calendars, which are among the blocks of the problem once it is parsed (`parseProblem`).
 */
export type PlannerInput = Problem & { missed: MissedBlock[]; busy?: Span[] }
type Span = { startAt: number; endAt: number }
export type MissedBlock = { blockId: string; taskId: string; startAt: number; endAt: number }

type ReplacedBlock = Pick<Block, 'id' | 'taskId' | 'startAt' | 'endAt'>

export type TitledBlock = PlannedBlock & { title: string }

/** A block that a run may replace, with all its content. */
export type OwnBlock = Omit<TitledBlock, 'taskId'> & { id: string; taskId: string | null }

/** What a plan changes in the calendar. */
export type Changes = {
  /** The blocks that the plan replaces. */
  cancel: string[]
  /** The same blocks, each with its task and time. */
  replaced: ReplacedBlock[]
  /** The replaced blocks that stay, because the plan has an equal block at the same time. */
  stay?: Set<string>
  create: TitledBlock[]
  /** The missed blocks, which are cancelled as such. */
  missed: string[]
}

/** The plan's changes; new blocks get the titles that their tasks had when the plan was made. */
export function changesOf(plan: Plan, { tasks, blocks, missed }: PlannerInput): Changes {
  const { cancel, create } = plan
  const titles = new Map(tasks.map(({ id, title }) => [id, title]))
  const cancelled = new Set(cancel)
  return {
    cancel,
    replaced: blocks
      .filter(({ id }) => cancelled.has(id))
      .map(({ id, taskId, startAt, endAt }) => ({ id, taskId, startAt, endAt })),
    create: create.map((block) => ({ ...block, title: titles.get(block.taskId) ?? '' })),
    missed: missed.map(({ blockId }) => blockId),
  }
}

/** Drops changes that would replace a block with an equal one. */
export function onlyDifference(changes: Changes, own: OwnBlock[]): Changes {
  const { create } = changes
  const likes = new Map(own.map((block) => [contentOf(block), block.id]))
  const stay = new Set(create.flatMap((block) => likes.get(contentOf(block)) ?? []))
  return { ...changes, stay, create: create.filter((block) => !likes.has(contentOf(block))) }
}

/** Maps each new block to the id of the block whose thread it continues. */
export function findContinued({ replaced, stay, create }: Changes) {
  const pairs = pairBlocks(
    replaced.filter(({ id }) => !stay?.has(id)),
    create,
  )
  return new Map(pairs.flatMap(({ old, block }) => (old && block ? [[block, old.id]] : [])))
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
    explanation && withoutUnchangedSince(explanation),
  ])

type Detail = Pick<FullPlannerRun, 'blocks' | 'atRisk' | 'unscheduled' | 'missed' | 'needsEstimate'>

/** Compares the calendar before and after a plan, task by task. */
export function compareCalendars(problem: PlannerInput, plan: Plan): Detail {
  const titles = new Map(problem.tasks.map(({ id, title }) => [id, title]))
  const titleOf = (id: string | null) => (id && titles.get(id)) || ''
  const toPlannedBlock = (block: PlannedBlock) => ({
    taskId: block.taskId,
    title: titleOf(block.taskId),
    ...timeRangeOf(block),
    defended: block.defended,
    explanation: block.explanation,
  })
  const blocks: Detail['blocks'] = { unchanged: [], moved: [], added: [], removed: [] }

  const cancelled = new Set(plan.cancel)
  const before = problem.blocks.filter(({ id }) => cancelled.has(id))
  for (const { old, block } of pairBlocks(before, plan.create)) {
    if (!block) {
      const { taskId } = old
      blocks.removed.push({ taskId, title: titleOf(taskId), ...timeRangeOf(old) })
    } else if (!old) blocks.added.push(toPlannedBlock(block))
    else if (isAt(old, block)) blocks.unchanged.push(toPlannedBlock(block))
    else blocks.moved.push({ ...toPlannedBlock(block), from: timeRangeOf(old) })
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

type Pair<Old, New> = { old: Old; block?: undefined } | { old?: Old; block: New }

/**
 * Pairs the blocks of each task before and after a plan: those at the same time, then the others in the order of
 * time. What is left was added or removed.
 */
function pairBlocks<Old extends TaskTime, New extends TaskTime>(before: Old[], after: New[]) {
  const pairs: Pair<Old, New>[] = []
  const unpaired = byTask(before)
  for (const [taskId, blocks] of byTask(after)) {
    const left = [...(unpaired.get(taskId) ?? [])]
    const others: New[] = []
    for (const block of blocks) {
      // Paired one to one, since two blocks may have the same time.
      const at = left.findIndex((old) => isAt(old, block))
      if (at < 0) others.push(block)
      else pairs.push({ old: left.splice(at, 1)[0], block })
    }
    for (const block of others) pairs.push({ old: left.shift(), block })
    unpaired.set(taskId, left)
  }
  for (const gone of unpaired.values()) pairs.push(...gone.map((old) => ({ old })))
  return pairs
}

const isOpen = ({ status }: Task) => !['completed', 'cancelled', 'archived'].includes(status)

type TimeRange = Pick<Block, 'startAt' | 'endAt'>
type TaskTime = TimeRange & { taskId: string | null }

const isAt = (a: TimeRange, b: TimeRange) => a.startAt === b.startAt && a.endAt === b.endAt
const timeRangeOf = ({ startAt, endAt }: TimeRange) => ({
  startAt: new Date(startAt),
  endAt: new Date(endAt),
})

function byTask<Item extends TaskTime>(items: Item[]) {
  const inOrder = items.toSorted((a, b) => a.startAt - b.startAt)
  return Map.groupBy(inOrder, ({ taskId }) => taskId)
}
