import type { PlannedBlock, Problem } from '@daywright/scheduler'

export type TitledBlock = PlannedBlock & { title: string }

/** The blocks with their tasks' titles as they were when it was planned, not as they are since. */
export function titledBlocks(blocks: PlannedBlock[], { tasks }: Problem): TitledBlock[] {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]))
  return blocks.map((block) => ({ ...block, title: titles.get(block.taskId) ?? '' }))
}
