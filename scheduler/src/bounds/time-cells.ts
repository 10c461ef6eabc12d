// Divides the horizon into cells: short stretches of open time, each open to the same window sets.
import type { Compiled } from '../problem/compile.ts'

export type TimeCells = {
  /** In order of start. */
  start: Int32Array
  end: Int32Array
  /** Open minutes between start and end; there may be closed ones too. */
  minutes: Int32Array
  /** The number of the stretch that the cell is part of. Stretches do not overlap. */
  stage: Int32Array
  /** The cell of each minute, -1 where nothing is open. */
  at: Int32Array
  /** Per window set, the numbers of the cells that are open to it. */
  ofClass: Int32Array[]
}

/** A closed stretch of this length ends a cell, since work after it is done much later. */
const GAP = 60

/** Cells hold about `size` minutes of open time each. */
export function divideIntoCells({ classes, horizon }: Compiled, size: number): TimeCells {
  const start: number[] = []
  const end: number[] = []
  const minutes: number[] = []
  const stage: number[] = []
  const at = new Int32Array(horizon).fill(-1)
  const ofClass: number[][] = classes.map(() => [])
  // The cells of the current stretch, by the sets they are open to.
  let current = new Map<string, number>()
  let stretch = -1
  let filled = 0
  let last = -GAP
  for (const piece of pieces(classes.map(({ free }) => free))) {
    if (piece.start - last >= GAP) filled = size
    for (let from = piece.start; from < piece.end;) {
      if (filled >= size) {
        current = new Map()
        stretch++
        filled = 0
      }
      const until = Math.min(piece.end, from + size - filled)
      let cell = current.get(piece.key)
      if (cell === undefined) {
        cell = start.push(from) - 1
        current.set(piece.key, cell)
        end.push(from)
        minutes.push(0)
        stage.push(stretch)
        for (const k of piece.classes) ofClass[k]!.push(cell)
      }
      at.fill(cell, from, until)
      end[cell] = until
      minutes[cell]! += until - from
      filled += until - from
      from = until
    }
    last = piece.end
  }
  return {
    start: Int32Array.from(start),
    end: Int32Array.from(end),
    minutes: Int32Array.from(minutes),
    stage: Int32Array.from(stage),
    at,
    ofClass: ofClass.map((cells) => Int32Array.from(cells)),
  }
}

type Piece = { start: number; end: number; classes: number[]; key: string }

/** The open time, cut wherever one of the sets opens or closes. */
function* pieces(sets: Int32Array[]): Generator<Piece> {
  const edges = sets.flatMap((pairs, k) => Array.from(pairs, (minute) => ({ minute, k })))
  edges.sort((a, b) => a.minute - b.minute || a.k - b.k)
  const open = new Set<number>()
  let start = 0
  for (const { minute, k } of edges) {
    if (open.size && minute > start) {
      const classes = [...open].toSorted((a, b) => a - b)
      yield { start, end: minute, classes, key: classes.join() }
    }
    start = minute
    if (!open.delete(k)) open.add(k)
  }
}
