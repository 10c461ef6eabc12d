// A calendar file in, its occurrences in a window out.
export { CalendarRefused, defaultLimits, type Limits, type RefusalReason } from './limits.ts'
export type { Occurrence } from './occurrences.ts'
export { readCalendar, type CalendarReading, type ReadingOptions } from './read-calendar.ts'
export type { Skipped, SkipReason } from './skipped.ts'
