import type { PlannedBlock, Problem } from '@daywright/scheduler'

export type TitledBlock = PlannedBlock & { title: string }

/** The blocks with the titles their tasks had when the plan was made. */
export function titledBlocks(blocks: PlannedBlock[], { tasks }: Problem): TitledBlock[] {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]))
  return blocks.map((block) => ({ ...block, title: titles.get(block.taskId) ?? '' }))
}
