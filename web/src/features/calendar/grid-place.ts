/** The grid's elements: the scroll container, and the body of the columns. */
export type Grid = { scroller: HTMLElement; body: HTMLElement; dayCount: number }

const gutterPx = 52

/** The day and minute at a point, if it is over the columns. */
export function gridPlace({ scroller, body, dayCount }: Grid, x: number, y: number) {
  const view = scroller.getBoundingClientRect()
  const box = body.getBoundingClientRect()
  if (x < view.left + gutterPx || x > view.right || y < view.top || y > view.bottom)
    return undefined
  const day = Math.floor(((x - box.left - gutterPx) / (box.width - gutterPx)) * dayCount)
  if (day < 0 || day >= dayCount) return undefined
  return { day, minutes: ((y - box.top) / box.height) * 1440 }
}
