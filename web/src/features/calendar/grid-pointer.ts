// Pointer input on the grid: mouse, pen and touch.
import type { ListedTimeBlock } from '@daywright/contract'
import type { RefObject } from 'react'
import { moveBlock, type Place } from '../../data/actions/blocks.ts'
import { perform } from '../../data/run-mutation.ts'
import { instantAt, minutesBetween, plusMinutes, wallMinutes, type Zone } from '../../time/zone.ts'
import { lateText } from '../blocks/lateness.ts'
import { beginDrag } from './drag.ts'
import type { DragSubject, Span } from './drag-subject.ts'
import type { Entry } from './entries.ts'
import { type Grid, gridPlace } from './grid-place.ts'
import { formatRange } from './format-range.ts'

type Shown = { days: Temporal.PlainDate[]; zone: Zone }

type Options = Shown & {
  grid: RefObject<Grid | null>
  entryOf: (id: string) => Entry | undefined
  /** When a task is due. */
  dueOf: (taskId: string | null) => Date | null | undefined
  onSelect: (id: string | undefined) => void
  onCreate: (place: Place) => void
  onChanged: () => void
}

const snap = (minutes: number) => Math.floor(minutes / 15) * 15

export function createGridPointer(options: Options) {
  const { grid, entryOf, onSelect, onCreate } = options

  function onPointerDown(event: React.PointerEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const element = target.closest<HTMLElement>('[data-block]')
    if (!grid.current) return
    const place = gridPlace(grid.current, event.clientX, event.clientY)
    if (!place) return
    const entry = element && entryOf(element.dataset.block ?? '')
    if (entry) takeBlock(event, entry, element, target.dataset.edge, place.day)
    else if (!element) takeEmpty(event, place)
  }

  function takeBlock(
    event: React.PointerEvent,
    entry: Entry,
    element: HTMLElement,
    edge: string | undefined,
    day: number,
  ) {
    if (!entry.block || !grid.current) return
    // A block that was cancelled as missed can be selected, but not moved.
    if (entry.block.status === 'cancelled') return onSelect(entry.id)
    const kind = edge === 'start' || edge === 'end' ? edge : 'move'
    const subject = blockSubject(options, entry, entry.block, kind, day)
    beginDrag(event.nativeEvent, grid.current, { ...subject, element })
  }

  function takeEmpty(
    event: React.PointerEvent,
    { day, minutes }: { day: number; minutes: number },
  ) {
    if (!grid.current) return
    const start = snap(minutes)
    beginDrag(event.nativeEvent, grid.current, {
      kind: 'create',
      title: 'New task',
      color: null,
      from: { day, start, end: start + 15 },
      minutes: 15,
      onClick: () => onSelect(undefined),
      onDrop: (span) =>
        onCreate({
          startAt: instantOn(options, span.day, span.start),
          endAt: instantOn(options, span.day, span.end),
        }),
    })
  }

  function onDoubleClick(event: React.MouseEvent<HTMLElement>) {
    if ((event.target as HTMLElement).closest('[data-block]') || !grid.current) return
    const place = gridPlace(grid.current, event.clientX, event.clientY)
    if (!place) return
    const startAt = instantOn(options, place.day, snap(place.minutes))
    onCreate({ startAt, endAt: plusMinutes(startAt, 60) })
  }

  return { onPointerDown, onDoubleClick }
}

type Kind = 'move' | 'start' | 'end'

/** The drag of a block, grabbed in the column of this day: a move, or a resize at one edge. */
function blockSubject(
  options: Options,
  entry: Entry,
  block: ListedTimeBlock,
  kind: Kind,
  day: number,
): DragSubject {
  const { zone, dueOf, onSelect, onChanged } = options
  const dueAt = dueOf(block.taskId)
  const minutes = minutesBetween(entry.startAt, entry.endAt)
  const start = daysBefore(options, entry, day) * -1440 + wallMinutes(entry.startAt, zone)
  return {
    kind,
    title: entry.title,
    color: entry.color,
    from: { day, start, end: start + minutes },
    minutes,
    onClick: () => onSelect(entry.id),
    warns: (span) => lateText(placeOf(options, span, kind, entry).endAt, dueAt, zone),
    onDrop: (span) => {
      const place = placeOf(options, span, kind, entry)
      const isSame =
        place.startAt.getTime() === entry.startAt.getTime() &&
        place.endAt.getTime() === entry.endAt.getTime()
      if (isSame) return
      const verb = kind === 'move' ? 'Moved' : 'Resized'
      const late = lateText(place.endAt, dueAt, zone)
      const says = `${verb} “${entry.title}” to ${formatRange(place, zone)}. ${late ? `${late}.` : 'Pinned.'}`
      void perform(moveBlock(block, place, says)).then(onChanged)
    },
  }
}

const instantOn = ({ days, zone }: Shown, day: number, minutes: number) =>
  instantAt(days[day] ?? (days[0] as Temporal.PlainDate), minutes, zone)

/** How many days before this column the block began. */
function daysBefore({ days, zone }: Shown, { startAt }: Entry, day: number) {
  const began = Temporal.Instant.fromEpochMilliseconds(startAt.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
  return began.until(days[day] ?? began).days
}

/** A moved block keeps its duration; a resized one gets the local time of the pointer. */
function placeOf(shown: Shown, span: Span, kind: Kind, entry: Entry): Place {
  if (kind === 'start') {
    return { startAt: instantOn(shown, span.day, span.start), endAt: entry.endAt }
  }
  if (kind === 'end') {
    return { startAt: entry.startAt, endAt: instantOn(shown, span.day, span.end) }
  }
  const startAt = instantOn(shown, span.day, span.start)
  return { startAt, endAt: plusMinutes(startAt, minutesBetween(entry.startAt, entry.endAt)) }
}
