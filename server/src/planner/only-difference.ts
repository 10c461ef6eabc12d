import type { OwnBlock } from './problem.queries.ts'
import type { TitledBlock } from './titled-blocks.ts'

type Changes = { cancel: string[]; create: TitledBlock[] }

/** Drops changes that would replace a block by an equal one. */
export function onlyDifference({ cancel, create }: Changes, own: OwnBlock[]) {
  const likes = new Map(own.map((block) => [contentOf(block), block.id]))
  const stay = new Set(create.flatMap((block) => likes.get(contentOf(block)) ?? []))
  return { cancel, stay, create: create.filter((block) => !likes.has(contentOf(block))) }
}

const contentOf = ({
  taskId,
  title,
  startAt,
  endAt,
  defended,
  explanation,
}: Omit<OwnBlock, 'id'>) => JSON.stringify([taskId, title, startAt, endAt, defended, explanation])
