// Pointer input on the grid: mouse, pen and touch.
import type { RefObject } from 'react'
import { moveBlock, type Place } from '../data/actions/blocks.ts'
import { perform } from '../data/perform.ts'
import { instantAt, minutesBetween, plusMinutes, wallMinutes, type Zone } from '../time/zone.ts'
import { beginDrag, type Span } from './drag.ts'
import type { Entry } from './entries.ts'
import { type Grid, gridPlace } from './grid-place.ts'
import { formatRange } from './words.ts'

type Options = {
  grid: RefObject<Grid | null>
  days: Temporal.PlainDate[]
  zone: Zone
  entryOf: (id: string) => Entry | undefined
  onSelect: (id: string | undefined) => void
  onCreate: (place: Place) => void
  onChanged: () => void
}

const snap = (minutes: number) => Math.floor(minutes / 15) * 15

export function useGridPointer(options: Options) {
  const { grid, days, zone, entryOf, onSelect, onCreate, onChanged } = options

  const instant = (day: number, minutes: number) =>
    instantAt(days[day] ?? (days[0] as Temporal.PlainDate), minutes, zone)

  function onPointerDown(event: React.PointerEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const element = target.closest<HTMLElement>('[data-block]')
    if (!grid.current) return
    const place = gridPlace(grid.current, event.clientX, event.clientY)
    if (!place) return
    const entry = element && entryOf(element.dataset.block ?? '')
    if (entry) takeBlock(event, entry, target.dataset.edge, place.day)
    else if (!element) takeEmpty(event, place)
  }

  function takeBlock(
    event: React.PointerEvent,
    entry: Entry,
    edge: string | undefined,
    day: number,
  ) {
    const { block } = entry
    const onClick = () => onSelect(entry.id)
    if (!block || !grid.current) return
    const minutes = minutesBetween(entry.startAt, entry.endAt)
    const start = daysBefore(entry, day) * -1440 + wallMinutes(entry.startAt, zone)
    const from = { day, start, end: start + minutes }
    const kind = edge === 'start' || edge === 'end' ? edge : 'move'
    beginDrag(event.nativeEvent, grid.current, {
      kind,
      title: entry.title,
      color: entry.color,
      from,
      minutes,
      onClick,
      onDrop: (span) => {
        const place = placeOf(span, kind, entry)
        const isSame =
          place.startAt.getTime() === entry.startAt.getTime() &&
          place.endAt.getTime() === entry.endAt.getTime()
        if (isSame) return
        const verb = kind === 'move' ? 'Moved' : 'Resized'
        const says = `${verb} “${entry.title}” to ${formatRange(place, zone)}. Pinned.`
        void perform(moveBlock(block, place, says)).then(onChanged)
      },
    })
  }

  /** How many days before this column the block began. */
  const daysBefore = ({ startAt }: Entry, day: number) => {
    const began = Temporal.Instant.fromEpochMilliseconds(startAt.getTime())
      .toZonedDateTimeISO(zone)
      .toPlainDate()
    return began.until(days[day] ?? began).days
  }

  /** A moved block keeps its duration; a resized one gets the local time of the pointer. */
  function placeOf(span: Span, kind: 'move' | 'start' | 'end', entry: Entry): Place {
    if (kind === 'start') return { startAt: instant(span.day, span.start), endAt: entry.endAt }
    if (kind === 'end') return { startAt: entry.startAt, endAt: instant(span.day, span.end) }
    const startAt = instant(span.day, span.start)
    return { startAt, endAt: plusMinutes(startAt, minutesBetween(entry.startAt, entry.endAt)) }
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
        onCreate({ startAt: instant(span.day, span.start), endAt: instant(span.day, span.end) }),
    })
  }

  function onDoubleClick(event: React.MouseEvent<HTMLElement>) {
    if ((event.target as HTMLElement).closest('[data-block]') || !grid.current) return
    const place = gridPlace(grid.current, event.clientX, event.clientY)
    if (!place) return
    const startAt = instant(place.day, snap(place.minutes))
    onCreate({ startAt, endAt: plusMinutes(startAt, 60) })
  }

  return { onPointerDown, onDoubleClick }
}
