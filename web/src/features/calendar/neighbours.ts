import type { Entry } from './entries.ts'
import type { Segment } from './segments.ts'

export type Direction = 'up' | 'down' | 'left' | 'right'

/** The block that an arrow key moves to: up and down in order, left and right the nearest on another day. */
export function neighbourOf(columns: Segment<Entry>[][], id: string, direction: Direction) {
  const starts = columns.map((column) =>
    column.filter(({ isFirst, item }) => isFirst || item.id === id),
  )
  const day = starts.findIndex((column) => column.some(({ item }) => item.id === id))
  const current = starts[day]?.find(({ item }) => item.id === id)
  if (!current) return undefined
  if (direction === 'up' || direction === 'down') {
    const all = starts.flat()
    return all[all.indexOf(current) + (direction === 'down' ? 1 : -1)]?.item.id
  }
  const step = direction === 'right' ? 1 : -1
  for (let other = day + step; starts[other]; other += step) {
    const nearest = starts[other]?.toSorted(
      (one, two) => Math.abs(one.start - current.start) - Math.abs(two.start - current.start),
    )[0]
    if (nearest) return nearest.item.id
  }
  return undefined
}
