// A VFREEBUSY says when its owner is busy, but not with what.
import { propertiesOf, type Component } from './components.ts'
import { formatWall } from './days.ts'
import { readTexts } from './event.ts'
import type { OccurrenceList } from './occurrences.ts'
import { splitDates } from './date-lists.ts'
import type { Context } from './recurrence.ts'
import { instantOf, readPeriod } from './times.ts'

/** Adds the busy periods of a VFREEBUSY to the list. Throws `LimitExceeded`. */
export function addBusyTimes(component: Component, context: Context, list: OccurrenceList) {
  const texts = readTexts(component, context.limits)
  for (const { property, text } of splitDates(propertiesOf(component, 'FREEBUSY'), context.steps)) {
    const kind = property.parameters.FBTYPE?.toUpperCase() ?? 'BUSY'
    const period = kind === 'FREE' ? undefined : readPeriod(property, context.calendar, text)
    if (!period) continue
    const { start, end } = period
    const isTentative = kind === 'BUSY-TENTATIVE'
    const details = { ...texts, isAllDay: false, isBusy: true, isTentative }
    list.add(details, () => formatWall(start.wall, false), { start: instantOf(start), end })
  }
}
