// Computes the occurrences of a series: their days, their instants, and what to do for the series now.
export { addDays, isDay, localDay } from './days.ts'
export {
  daysAhead,
  decide,
  type Decision,
  instantsOf,
  mostAhead,
  type Planned,
  type Progress,
  settledBy,
  type Stored,
  type StoredTask,
} from './decide.ts'
export { coming, comingBetween, slotOf } from './coming.ts'
export { readRule, RuleRefused } from './read-rule.ts'
export {
  type Key,
  keyOf,
  type Kind,
  kinds,
  type Missed,
  missedChoices,
  type Series,
  type Slot,
} from './series.ts'
export { isOnceADay, lookbackDays, nextSlot, slotsBetween } from './slots.ts'
export { describeSeries } from './words.ts'
