// Random numbers that depend on a name: the same name gives the same numbers on every machine.
import { randomFrom } from '../src/local-search/random.ts'

export type Dice = {
  /** From 0 up to, not including, 1. */
  next: () => number
  /** A whole number from `low` to `high`, both included. */
  whole: (low: number, high: number) => number
  chance: (share: number) => boolean
  pick: <T>(list: readonly T[]) => T
  weighted: <T>(list: readonly T[], weights: readonly number[]) => T
}

export const newDice = (name: string): Dice => {
  const next = randomFrom(hash(name))
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    whole,
    chance: (share) => next() < share,
    pick: (list) => list[whole(0, list.length - 1)]!,
    weighted: (list, weights) => {
      let rest = next() * weights.reduce((sum, weight) => sum + weight, 0)
      const i = weights.findIndex((weight) => (rest -= weight) < 0)
      return list[i < 0 ? list.length - 1 : i]!
    },
  }
}

/** FNV-1a. */
const hash = (text: string) => {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value
}
