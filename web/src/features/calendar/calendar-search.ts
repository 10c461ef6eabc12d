// The state of the calendar in its URL: `/calendar?w=2026-11-16&view=week&block=…`
export const views = ['day', 'work', 'week', '2week'] as const
export type View = (typeof views)[number]

export type CalendarSearch = {
  /** A day of the period; the current week by default. */
  w?: string
  view?: View
  /** The block whose panel is open. */
  block?: string
  /** The planner run that is shown as a preview. */
  plan?: string
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function readCalendarSearch(search: Record<string, unknown>): CalendarSearch {
  const w = text(search.w)
  const view = views.find((each) => each === String(search.view))
  const block = text(search.block)
  const plan = text(search.plan)
  return {
    ...(w && /^\d{4}-\d\d-\d\d$/.test(w) && { w }),
    ...(view && { view }),
    ...(block && { block }),
    ...(plan && { plan }),
  }
}
