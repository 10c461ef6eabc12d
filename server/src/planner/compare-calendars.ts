import type { FullPlannerRun } from '@daywright/contract'
import type { Block, Plan, PlannedBlock, Problem } from '@daywright/scheduler'

type Detail = Pick<FullPlannerRun, 'blocks' | 'atRisk' | 'unscheduled'>

/** Compares the calendar before and after a plan, task by task. */
export function compareCalendars(problem: Problem, plan: Plan): Detail {
  const titles = new Map(problem.tasks.map(({ id, title }) => [id, title]))
  const titleOf = (id: string | null) => (id && titles.get(id)) || ''
  const planned = (block: PlannedBlock) => ({
    taskId: block.taskId,
    title: titleOf(block.taskId),
    ...placeOf(block),
    defended: block.defended,
    explanation: block.explanation,
  })
  const blocks: Detail['blocks'] = { stay: [], move: [], appear: [], go: [] }

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
        blocks.stay.push(planned(block))
      }
    }
    for (const block of others) {
      const from = left.shift()
      if (from) blocks.move.push({ ...planned(block), from: placeOf(from) })
      else blocks.appear.push(planned(block))
    }
    before.set(taskId, left)
  }
  for (const [taskId, gone] of before) {
    blocks.go.push(...gone.map((old) => ({ taskId, title: titleOf(taskId), ...placeOf(old) })))
  }
  return { blocks, atRisk: plan.atRisk, unscheduled: plan.unscheduled }
}

type Place = Pick<Block, 'startAt' | 'endAt'>

const isAt = (a: Place, b: Place) => a.startAt === b.startAt && a.endAt === b.endAt
const placeOf = ({ startAt, endAt }: Place) => ({
  startAt: new Date(startAt),
  endAt: new Date(endAt),
})

function byTask<Item extends Place & { taskId: string | null }>(items: Item[]) {
  const inOrder = items.toSorted((a, b) => a.startAt - b.startAt)
  return Map.groupBy(inOrder, ({ taskId }) => taskId)
}
