// A parsed line as text, for the table of phrases: title | dates | length | priority | names | repetition
import type { QuickAdd } from '../src/index.ts'

export function render(parsed: QuickAdd, zone: string) {
  const { title, event, startAfter, dueAt, estimateMinutes, priority, repeat } = parsed
  const { space, project, labels, newLabels } = parsed
  const time = (date: Date) => format(date, zone)
  return [
    title,
    event && `event ${time(event.start)} to ${time(event.end)}`,
    !event && startAfter && `from ${time(startAfter)}`,
    !event && dueAt && `due ${time(dueAt)}`,
    estimateMinutes && `${estimateMinutes} min`,
    priority,
    space && `#${space.name}`,
    project && `#${project.name}`,
    ...labels.map(({ name }) => `@${name}`),
    ...newLabels.map((name) => `@${name} (new)`),
    repeat &&
      [
        `repeat ${repeat.kind} ${repeat.rule}`,
        repeat.times && `${repeat.times} times`,
        repeat.time && `at ${repeat.time}`,
        repeat.startsOn && `from ${repeat.startsOn}`,
        repeat.endsOn && `until ${repeat.endsOn}`,
      ]
        .filter(Boolean)
        .join(' '),
  ]
    .filter((part) => part !== undefined && part !== false)
    .join(' | ')
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Fri 2026-11-20 17:00 */
function format(date: Date, zone: string) {
  const local = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone)
  const day = local.toPlainDate()
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' })
  return `${weekdays[day.dayOfWeek - 1]} ${day.toString()} ${time}`
}
