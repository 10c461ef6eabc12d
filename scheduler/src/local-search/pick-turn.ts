// Random turns and places for the moves of late acceptance.
import type { SequenceState } from './sequence-state.ts'

export const pickTurn = ({ decoder, random }: SequenceState): number => {
  const { order, size } = decoder
  for (let attempt = 0; attempt < 4; attempt++) {
    const e = order[Math.floor(random() * size)]!
    if (decoder.earliness[e]! > 0) return e
  }
  return order[Math.floor(random() * size)]!
}

/** Picks, of a few random late turns, the one with the largest possible gain per minute. */
export const pickLateTurn = (state: SequenceState): number => {
  const { compiled, decoder, random } = state
  let chosen = -1
  let most = -1
  let found = 0
  for (let attempt = 0; attempt < 16 && found < 3; attempt++) {
    const e = Math.floor(random() * decoder.size)
    const gain = possibleGain(state, e)
    if (gain <= 0) continue
    found++
    const gainPerMinute = gain / compiled.need[decoder.taskOf[e]!]!
    if (gainPerMinute > most) {
      most = gainPerMinute
      chosen = e
    }
  }
  return chosen < 0 ? pickTurn(state) : chosen
}

export const possibleGain = ({ decoder }: SequenceState, e: number): number =>
  decoder.lateness[e]! - decoder.unavoidable[e]! + decoder.leftOver[e]!

/** A random place shortly after `from`. */
export const laterPlace = ({ decoder, random }: SequenceState, from: number): number =>
  Math.min(decoder.size - 1, from + 1 + Math.floor(random() ** 2 * moveRadius(decoder.size)))

/** A random earlier place whose turn starts before the due date, if the picked turn is late. */
export const earlierPlace = (
  { compiled, decoder, random }: SequenceState,
  e: number,
  from: number,
): number => {
  const due = compiled.due[decoder.taskOf[e]!]!
  const until = due > 0 && decoder.end[e]! > due ? due : Infinity
  const near = random() < 0.7
  for (let attempt = 0; attempt < 8; attempt++) {
    const to = near
      ? Math.max(0, from - 1 - Math.floor(random() ** 2 * moveRadius(decoder.size)))
      : Math.floor(random() * from)
    const other = decoder.order[to]!
    if (decoder.earliness[other]! > 0 && decoder.begin[other]! < until) return to
  }
  return Math.floor(random() * from)
}

/** How many places a turn moves at most when it moves to a near place. */
const moveRadius = (size: number): number => Math.max(8, Math.min(size, 200) / 4)
