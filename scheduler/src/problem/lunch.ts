// Which minutes of each day stay free for lunch.
import { clip, pairsOf, subtract, union } from './intervals.ts'

type Pair = readonly [number, number]

/**
 * One lunch break per span: as near to the middle of the span as the kept blocks allow, and shorter
 * than wanted if they leave less room. Planned sessions are ignored, so an unchanged calendar always
 * gives the same breaks.
 */
export const lunchBreaks = (spans: readonly Pair[], wanted: number, kept: readonly Pair[]) =>
  spans.flatMap(([from, until]): Pair[] => {
    if (until <= from) return []
    const gaps = pairsOf(subtract(Int32Array.of(from, until), union(clip(kept, from, until))))
    const minutes = Math.min(wanted, Math.max(0, ...gaps.map(([start, end]) => end - start)))
    if (minutes <= 0) return []
    const middle = Math.floor((from + until - minutes) / 10) * 5
    const starts = gaps
      .filter(([start, end]) => end - start >= minutes)
      .map(([start, end]) => Math.max(start, Math.min(end - minutes, middle)))
    const nearest = starts.reduce((a, b) => (Math.abs(b - middle) < Math.abs(a - middle) ? b : a))
    return [[nearest, nearest + minutes]]
  })
