// Reads the occurrences of a calendar file in a window, and writes events as a calendar file.
export { CalendarRefused, defaultLimits, type Limits, type RefusalReason } from './limits.ts'
export type { Occurrence } from './occurrences.ts'
export {
  readCalendar,
  readCalendarFiles,
  type CalendarReading,
  type ReadingOptions,
} from './read-calendar.ts'
export type { Skipped, SkipReason } from './skipped.ts'
export { isPast } from './is-past.ts'
export { mergeEvent } from './merge-event.ts'
export { lastChangeOf, withoutStamps } from './stamps.ts'
export {
  writeCalendar,
  type WrittenCalendar,
  type WrittenEvent,
  writeEvent,
} from './write-calendar.ts'
export { dateOf, dayLength, dayNumber, weekdayOf, weekStartOf } from './days.ts'
export { expandRule } from './expand-rule.ts'
export { LimitExceeded } from './limits.ts'
export { parseRule, type Rule, RuleNotUnderstood } from './rule.ts'
