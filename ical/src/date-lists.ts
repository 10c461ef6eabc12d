// Lists of dates, which may have millions of values.
import { costs, spend, type Steps } from './limits.ts'
import type { Property } from './lines.ts'

/** The values of properties that contain lists, one by one. Throws `LimitExceeded`. */
export function* splitDates(properties: Property[], steps: Steps) {
  for (const property of properties) {
    for (const text of splitValues(property.value)) {
      spend(steps, costs.date)
      yield { property, text }
    }
  }
}

function* splitValues(list: string) {
  for (let start = 0; start <= list.length;) {
    const comma = list.indexOf(',', start)
    const end = comma < 0 ? list.length : comma
    yield list.slice(start, end)
    start = end + 1
  }
}
