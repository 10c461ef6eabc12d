export { parseQuickAdd } from './parse-quick-add.ts'
export type { Context, QuickAdd, Span } from './parse-quick-add.ts'
export { readMinutes } from './durations.ts'
export { complete, completionAt, type Completion, type Suggestion } from './suggestions.ts'
export { initialsOf, type Named, type Names } from './names.ts'
export type { Repeat } from './repeats.ts'
export {
  linesOf,
  newLabelsOf,
  type ParsedRecurrence,
  type ParsedTask,
  recurrenceOf,
  taskOf,
  usualSessions,
} from './task-of.ts'
