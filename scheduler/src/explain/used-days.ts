// Where occurrences of habits could lie, given the finished plan. The planner reserves days for each of
// them in advance; explanations depend only on the days that the others really use.
import type { Compiled } from '../problem/compile.ts'
import { pairsOf, union } from '../problem/intervals.ts'
import { dayStarts } from '../problem/windows.ts'

export function withUsedDays(compiled: Compiled, sessions: readonly ArrayLike<number>[]): Compiled {
  const { takenDays, tasks, timezone, t0, horizon, until, keptGuards } = compiled
  if (takenDays === null) return compiled
  const starts = dayStarts(timezone, t0, horizon)
  const planned = tasks.flatMap(({ id, recurring }, j) =>
    Array.from({ length: recurring?.series ? sessions[j]!.length / 2 : 0 }, (_, i) => ({
      series: recurring!.series,
      task: id,
      minute: sessions[j]![2 * i]!,
    })),
  )
  const used = [...takenDays, ...planned]
  const guards = tasks.map(({ id, recurring }, j) => {
    if (!recurring) return keptGuards[j]!
    const others = used.filter(({ series, task }) => series === recurring.series && task !== id)
    const days = others.map(({ minute }) => dayAround(starts, minute))
    const after = [Math.max(0, until[j]!), horizon] as const
    return union([...pairsOf(keptGuards[j]!), ...days, after])
  })
  return { ...compiled, guards }
}

const dayAround = (starts: Int32Array, minute: number): readonly [number, number] => {
  const next = starts.findIndex((start) => start > minute)
  return next < 1 ? [0, 0] : [Math.max(0, starts[next - 1]!), starts[next]!]
}
