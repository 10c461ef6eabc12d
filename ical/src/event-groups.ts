// Events with the same UID belong together: a series with its changes, or several versions of an event.
import { childrenOf, type Component } from './components.ts'
import { formatWall } from './days.ts'
import { readEvent, readTexts, type CalendarEvent } from './event.ts'
import { costs, spend } from './limits.ts'
import type { OccurrenceList } from './occurrences.ts'
import type { Context } from './recurrence.ts'
import { addSeries, addSingle } from './series.ts'

export type EventGroup = { events: CalendarEvent[]; changes: CalendarEvent[] }

export function groupEvents(component: Component, addresses: Set<string>, context: Context) {
  const { calendar, limits, steps, skipped } = context
  const groups = new Map<string | symbol, EventGroup>()
  for (const child of childrenOf(component, 'VEVENT')) {
    const texts = readTexts(child, limits)
    const event = skipped.unlessLimited(texts, () => {
      spend(steps, costs.event)
      return readEvent(child, calendar, addresses, texts)
    })
    if (event === undefined) continue
    if (typeof event === 'string') {
      skipped.add(texts, event)
      continue
    }
    // An event without a UID forms a group of its own.
    const uid = event.uid ?? Symbol('event')
    const group = groups.get(uid) ?? { events: [], changes: [] }
    groups.set(uid, group)
    const list = event.replaces ? group.changes : group.events
    list.push(event)
  }
  return groups.values()
}

export function addGroup(group: EventGroup, context: Context, list: OccurrenceList) {
  const { skipped } = context
  const events = newestOf(group.events)
  if (events.length === 0) {
    // The user was invited to one occurrence only, or the series is over.
    for (const change of group.changes) {
      const id = idOf(change.replaces!)
      skipped.unlessLimited(change, () => addSingle(change, () => id, list))
    }
  }
  events.forEach((event, i) => {
    const changes = i === 0 ? group.changes : []
    const isSeries = event.rules.length > 0 || event.dates.length > 0 || changes.length > 0
    const id = events.length === 1 ? '' : idOf(event.start)
    skipped.unlessLimited(event, () =>
      isSeries ? addSeries(event, changes, context, list) : addSingle(event, () => id, list),
    )
  })
}

const idOf = ({ wall, isDate }: CalendarEvent['start']) => formatWall(wall, isDate)

/** The newest versions, without duplicates. Different events that share a UID by mistake are all kept. */
function newestOf(events: CalendarEvent[]) {
  if (events.length < 2) return events
  const newest = events.reduce((most, { sequence }) => Math.max(most, sequence), 0)
  const different = new Map<string, CalendarEvent>()
  for (const event of events) {
    if (event.sequence < newest) continue
    const { start, length, rules } = event
    const key = JSON.stringify([start.wall, start.zone.name, length, rules])
    if (!different.has(key)) different.set(key, event)
  }
  return [...different.values()]
}
