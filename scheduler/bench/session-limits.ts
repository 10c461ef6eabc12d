import type { Compiled } from '../src/problem/compile.ts'

/** The most work of a task in a stretch of open time, where sessions and cooldowns alternate. */
export const mostWork = (
  { max, cooldown, split }: Compiled,
  j: number,
  minutes: number,
): number => {
  if (!split[j]) return minutes
  const turn = max[j]! + cooldown[j]!
  const full = Math.floor((minutes + cooldown[j]!) / turn)
  return full * max[j]! + Math.max(0, Math.min(max[j]!, minutes - full * turn))
}
