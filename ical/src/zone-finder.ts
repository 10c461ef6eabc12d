// The zones of a calendar, by the names that its file uses for them.
import { childrenOf, propertyOf, type Component } from './components.ts'
import { makeCustomZone } from './custom-zone.ts'
import { costs, spend, type Steps } from './limits.ts'
import { windowsZones } from './windows-zones.ts'
import { findZoneName, makeZone, utc, type Zone } from './zone.ts'

export type ZoneFinder = ReturnType<typeof makeZoneFinder>

/** Finds zones by the names that files use, and looks up each name only once. */
export function makeZoneFinder(calendar: Component, user: Zone, steps: Steps) {
  const custom = new Map<string, Component>()
  for (const component of childrenOf(calendar, 'VTIMEZONE')) {
    const id = propertyOf(component, 'TZID')?.value
    if (id !== undefined) custom.set(cleanName(id), component)
  }
  const find = (name: string): Zone | undefined => {
    if (/^tzone:\/\/microsoft\/utc$/i.test(name)) return utc
    const component = custom.get(name)
    const location = component && propertyOf(component, 'X-LIC-LOCATION')?.value
    const known = [name, windowsZones.get(name.toLowerCase()), ...tailsOf(name), location]
    const found = known.map(findZoneName).find((each) => each !== undefined)
    if (found !== undefined) return found === 'UTC' ? utc : makeZone(found)
    return component && makeCustomZone(component, steps)
  }
  const found = new Map<string, Zone | undefined>()
  const findOnce = (name: string) => {
    if (!found.has(name)) {
      spend(steps, costs.zone)
      found.set(name, find(name))
    }
    return found.get(name)
  }
  const named = propertyOf(calendar, 'X-WR-TIMEZONE')?.value
  const ofCalendar = named === undefined ? undefined : findOnce(cleanName(named))
  const floating = ofCalendar ?? user
  return {
    /** The calendar's own zone. */
    ofCalendar,
    /** The zone of times without a zone. */
    floating,
    find: (name: string) => findOnce(cleanName(name)) ?? floating,
  }
}

/** Commas may be escaped in a VTIMEZONE, but not in a parameter. */
const cleanName = (name: string) => name.replaceAll('\\', '').trim()

/** The last parts of a name such as /mozilla.org/20050126_1/Europe/Berlin, which ends with the name of a zone. */
function tailsOf(name: string) {
  const parts = name.split('/')
  return [3, 2].filter((length) => parts.length > length).map((n) => parts.slice(-n).join('/'))
}
