import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from '../../ui/use-after-paint.ts'

const many = 150

/** The number of days to draw. With many blocks, one more day is drawn with each paint. */
export function useDrawn(days: Temporal.PlainDate[], columns: unknown[][]) {
  const isMany = columns.reduce((count, column) => count + column.length, 0) > many
  const [drawn, setDrawn] = useState({ days, count: 1 })
  const count = drawn.days === days ? drawn.count : 1
  const isDone = !isMany || count >= days.length
  useEffect(() => {
    if (isDone) return
    return afterPaint(() => startTransition(() => setDrawn({ days, count: count + 1 })))
  }, [days, count, isDone])
  return isDone ? days.length : count
}
