import type { Span } from '@daywright/quick-add'
import { X } from 'lucide-react'
import { priorityNames } from '../../../data/actions/task-fields.ts'
import { useNow } from '../../../time/clock.ts'
import { formatMinutes, formatTime, formatWhen } from '../../../time/format.ts'
import { useZone } from '../../../data/profile.ts'
import { type Zone } from '../../../time/zone.ts'
import { Swatch } from '../../../ui/badge.tsx'

type Props = {
  title: string
  spans: Span[]
  /** Whether the line makes an event, not a task. */
  isEvent?: boolean
  onTakeOut: (span: Span) => void
}

/** One chip for each value: a day and a time that were typed apart share theirs. */
const chipsOf = (spans: Span[]) =>
  spans.filter(
    (span, i) => spans.findIndex((s) => s.value === span.value && s.kind === span.kind) === i,
  )

const names: Record<Span['kind'], string> = {
  due: 'Due',
  start: 'From',
  // Not "At": the planner places the task there only if that time is free working time.
  event: 'Between',
  period: 'Between',
  estimate: 'Takes',
  priority: 'Priority',
  space: 'Space',
  project: 'Project',
  label: 'Label',
  'new label': 'New label',
  repeat: 'Repeats',
}

/** The remaining title, and a chip for each recognised part. Removing a chip returns its words to the title. */
export function TokenChips({ title, spans, isEvent = false, onTakeOut }: Props) {
  const zone = useZone()
  const now = useNow()
  return (
    <>
      <p className="mb-1.5 truncate text-xs text-ink-2">
        <span className="text-ink-3">Title</span> {title || 'None yet'}
      </p>
      <ul aria-label="Recognized" className="flex flex-wrap gap-1.5">
        {chipsOf(spans).map((span) => (
          <li key={`${span.kind} ${span.start}`} className="task-chip pr-0.5">
            <span className="font-normal text-ink-3">
              {isEvent && span.kind === 'event' ? 'Event' : names[span.kind]}
            </span>
            {typeof span.value === 'object' && 'color' in span.value && (
              <Swatch color={span.value.color ?? null} isRound={span.kind !== 'space'} />
            )}
            <span>{formatSpan(span, zone, now)}</span>
            <button
              type="button"
              aria-label={`Leave “${span.text}” in the title`}
              className="grid size-5 place-content-center rounded-[4px] text-ink-3 hover:bg-hover hover:text-ink"
              onClick={() => onTakeOut(span)}
            >
              <X size={12} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The recognised parts as one line of text. */
export function Recognised({ spans }: { spans: Span[] }) {
  const zone = useZone()
  const now = useNow()
  if (spans.length === 0) return undefined
  const texts = chipsOf(spans).map((span) => `${names[span.kind]} ${formatSpan(span, zone, now)}`)
  return <p className="truncate text-xs text-ink-3">{texts.join(' · ')}</p>
}

function formatSpan(span: Span, zone: Zone, now: Date) {
  switch (span.kind) {
    case 'due':
    case 'start':
      return formatWhen(span.value, zone, now)
    case 'event':
      return `${formatWhen(span.value.start, zone, now)}–${formatTime(span.value.end, zone)}`
    case 'period':
      return `${formatWhen(span.value.start, zone, now)} – ${formatWhen(span.value.end, zone, now)}`
    case 'estimate':
      return formatMinutes(span.value)
    case 'priority':
      return priorityNames[span.value]
    case 'new label':
      return span.value
    case 'repeat':
      return span.text
    default:
      return span.value.name
  }
}
