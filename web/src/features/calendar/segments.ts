// Blocks as segments of day columns: by local time, split at midnight, side by side where they overlap.
import { dayOf, minutesBetween, type Zone, zoned } from '../../time/zone.ts'

export type Timed = { id: string; startAt: Date; endAt: Date }

export type Segment<Item extends Timed> = {
  item: Item
  /** The column, from 0. */
  day: number
  /** Minutes past midnight on that day's wall clock. */
  start: number
  end: number
  isFirst: boolean
  isLast: boolean
  /** The lane of the segment, among the `lanes` of the blocks that overlap. */
  lane: number
  lanes: number
}

const dayMinutes = 1440

export function segmentsOf<Item extends Timed>(
  items: Item[],
  days: Temporal.PlainDate[],
  zone: Zone,
) {
  const columns: Segment<Item>[][] = days.map(() => [])
  const first = days[0]
  if (!first) return columns
  for (const item of items) {
    const from = first.until(dayOf(item.startAt, zone)).days
    // A block that ends at midnight has no segment on the next day.
    const to = first.until(dayOf(new Date(item.endAt.getTime() - 1), zone)).days
    for (let day = Math.max(0, from); day <= Math.min(days.length - 1, to); day += 1) {
      const start = day === from ? clock(item.startAt, zone) : 0
      const end = day === to ? endOf(item, start, from === to, zone) : dayMinutes
      columns[day]?.push({
        item,
        day,
        start,
        end,
        isFirst: day === from,
        isLast: day === to,
        lane: 0,
        lanes: 1,
      })
    }
  }
  for (const column of columns) layOut(column)
  return columns
}

function endOf({ startAt, endAt }: Timed, start: number, isOneDay: boolean, zone: Zone) {
  const end = clock(endAt, zone) || dayMinutes
  // After the clock was set back, the end may show an earlier local time than the start.
  const isBack = isOneDay && end <= start
  return isBack ? Math.min(dayMinutes, start + minutesBetween(startAt, endAt)) : end
}

function clock(date: Date, zone: Zone) {
  const { hour, minute, second } = zoned(date, zone)
  return hour * 60 + minute + second / 60
}

// Shorter blocks are drawn this long, to be readable and clickable.
export const shortestMinutes = 18
// A shorter segment takes up its lane this long. It is drawn longer, so the next one may cover its edge.
const shortestApart = 15

/** The segments of a day with the lanes that they get beside the others, which are laid out with them. */
export function layOutTogether<One extends Timed, Other extends Timed>(
  ones: Segment<One>[],
  others: Segment<Other>[],
) {
  const newOnes = ones.map(copy)
  const newOthers = others.map(copy)
  layOut<Timed>([...newOnes, ...newOthers])
  return [newOnes, newOthers] as const
}

const copy = <Item extends Timed>(segment: Segment<Item>) => ({ ...segment })

export const overlap = (one: Segment<Timed>, other: Segment<Timed>) =>
  one.start < other.end && other.start < one.end

/** Assigns each segment the first free lane. All segments of an overlapping group get the same number of lanes. */
function layOut<Item extends Timed>(column: Segment<Item>[]) {
  column.sort((one, other) => one.start - other.start || other.end - one.end)
  let group: Segment<Item>[] = []
  let groupEnd = -1
  const close = () => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane)) + 1
    for (const segment of group) segment.lanes = lanes
    group = []
  }
  const ends: number[] = []
  for (const segment of column) {
    if (segment.start >= groupEnd) {
      close()
      ends.length = 0
    }
    const free = ends.findIndex((end) => end <= segment.start)
    segment.lane = free === -1 ? ends.length : free
    const end = Math.max(segment.end, segment.start + shortestApart)
    ends[segment.lane] = end
    groupEnd = Math.max(groupEnd, end)
    group.push(segment)
  }
  close()
}
