// A zone that is described only by the VTIMEZONE of its file. Its clock changes are computed on demand, one
// year at a time.
import { childrenOf, propertiesOf, propertyOf, type Component } from './components.ts'
import { dateOf, dayLength, dayNumber, dayOf, isUtc, parseWall } from './days.ts'
import { expandRule } from './expand-rule.ts'
import { LimitExceeded, spend, type Steps } from './limits.ts'
import { splitDates } from './date-lists.ts'
import { parseRule, type Rule } from './rule.ts'
import { parseOffset } from './values.ts'
import type { Zone } from './zone.ts'

/** A STANDARD or DAYLIGHT component: when the clock changes, and from which offset to which. */
type Observance = {
  offsetFrom: number
  offsetTo: number
  start: number
  dates: number[]
  rules: { rule: Rule; until: number }[]
}

/** A change of the clock, at an instant. */
type Change = { at: number; offsetFrom: number; offsetTo: number }

/** More than a year, so that it includes the last change of each yearly rule. */
const lookBack = 800 * dayLength

export function makeCustomZone(component: Component, steps: Steps): Zone {
  const observances = [...childrenOf(component, 'STANDARD'), ...childrenOf(component, 'DAYLIGHT')]
    .map((each) => readObservance(each, steps))
    .filter((each) => each !== undefined)
  const byYear = new Map<number, Change[]>()

  /** The clock changes that affect times in the same year as `time`. */
  const changesAround = (time: number) => {
    const { year } = dateOf(dayOf(time))
    let changes = byYear.get(year)
    if (!changes) {
      const end = dayNumber(year + 1, 1, 3) * dayLength
      changes = observances
        .flatMap((each) => changesUntil(each, end, steps))
        .toSorted((a, b) => a.at - b.at)
      byYear.set(year, changes)
    }
    return changes
  }
  const offsetAfter = (changes: Change[], isBefore: (change: Change) => boolean) =>
    changes.findLast(isBefore)?.offsetTo ?? changes[0]?.offsetFrom ?? 0

  return {
    name: null,
    // A time that the clock skips has the offset from before the gap; a repeated time means the first one.
    toInstant: (wall) =>
      wall -
      offsetAfter(
        changesAround(wall),
        ({ at, offsetFrom, offsetTo }) => wall >= at + Math.max(offsetFrom, offsetTo),
      ),
    toWall: (instant) => instant + offsetAfter(changesAround(instant), ({ at }) => instant >= at),
  }
}

function changesUntil(observance: Observance, end: number, steps: Steps): Change[] {
  const { offsetFrom, offsetTo, start, dates, rules } = observance
  spend(steps, 1 + dates.length)
  const walls = [start, ...dates].filter((wall) => wall <= end)
  for (const { rule, until } of rules) {
    const to = Math.min(end, until)
    // No real zone changes its clock more often. If a rule exceeds this limit, the rules are dropped.
    const limit = { limit: 100, steps: { left: 5000, ofFile: steps } }
    try {
      walls.push(
        ...expandRule(rule, { start, startIsFirst: true, from: to - lookBack, to, ...limit }),
      )
    } catch (error) {
      if (!(error instanceof LimitExceeded) || steps.left < 0) throw error
      observance.rules = []
    }
  }
  return walls.map((wall) => ({ at: wall - offsetFrom, offsetFrom, offsetTo }))
}

function readObservance(component: Component, steps: Steps): Observance | undefined {
  const offsetFrom = parseOffset(propertyOf(component, 'TZOFFSETFROM')?.value ?? '')
  const offsetTo = parseOffset(propertyOf(component, 'TZOFFSETTO')?.value ?? '')
  const start = parseWall(propertyOf(component, 'DTSTART')?.value ?? '')
  if (start === undefined || offsetFrom === undefined || offsetTo === undefined) return undefined
  return {
    offsetFrom,
    offsetTo,
    start,
    dates: [...splitDates(propertiesOf(component, 'RDATE'), steps)]
      .map(({ text }) => parseWall(text.trim()))
      .filter((wall) => wall !== undefined),
    rules: propertiesOf(component, 'RRULE').flatMap(({ value }) => readRule(value, offsetFrom)),
  }
}

function readRule(text: string, offsetFrom: number) {
  try {
    const rule = parseRule(text)
    const wall = rule.until === undefined ? Infinity : parseWall(rule.until)!
    return [{ rule, until: isUtc(rule.until ?? '') ? wall + offsetFrom : wall }]
  } catch {
    return []
  }
}
