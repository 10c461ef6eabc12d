import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback } from 'react'
import { useDevice } from '../../../ui/device.ts'
import { useNarrow } from '../../../ui/use-media.ts'
import type { Row } from './rows.ts'

const heights = { compact: 30, normal: 36, roomy: 42 }
const groupHeight = 44
const narrowHeight = 56

/** The positions of the rows; only visible ones are drawn. */
export function useVirtualRows(
  rows: Row[],
  scroller: RefObject<HTMLElement | null>,
  focusedAt: number,
) {
  const { density } = useDevice()
  const isNarrow = useNarrow()
  // A new function would make the virtualizer measure all rows again.
  const keyAt = useCallback((index: number) => rows[index]?.key ?? index, [rows])
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) =>
      rows[index]?.kind === 'group' ? groupHeight : isNarrow ? narrowHeight : heights[density],
    getItemKey: keyAt,
    overscan: 8,
    // The focused row stays mounted, or scrolling would lose the focus.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), focusedAt])]
        .filter((index) => index >= 0 && index < rows.length)
        .toSorted((one, other) => one - other),
  })
}
