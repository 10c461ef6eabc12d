// Moves that swap two turns.
import { latenessOf } from '../objective/cost.ts'
import { laterPlace, pickLateTurn, pickTurn, possibleGain } from './pick-turn.ts'
import {
  changeBetween,
  keepSequence,
  type SequenceChange,
  type SequenceMove,
  type SequenceState,
} from './sequence-state.ts'

/** The largest loss of the other task in a swap, relative to the possible gain of the late one. */
const SWAP_LOSS_RATIO = 1.2

export const swapLate: SequenceMove = {
  name: 'swap a late turn with one in front that loses less by being late',
  propose: (state) => {
    const e = pickLateTurn(state)
    return proposeSwap(state, swapPlace(state, e), state.decoder.place[e]!)
  },
  undo: keepSequence,
}

export const swapNear: SequenceMove = {
  name: 'swap a turn with one shortly after it',
  propose: (state) => {
    const at = state.decoder.place[pickTurn(state)]!
    return proposeSwap(state, at, laterPlace(state, at))
  },
  undo: keepSequence,
}

const proposeSwap = (state: SequenceState, a: number, b: number): SequenceChange | undefined => {
  const { sequence, decoder } = state
  const { order } = decoder
  if (a >= b || !maySwap(state, a, b)) return undefined
  for (let at = a; at <= b; at++) sequence[at] = order[at]!
  sequence[a] = order[b]!
  sequence[b] = order[a]!
  return changeBetween(a, b)
}

/** The place of the earlier turn that loses least, of a few random ones; the turn's own place if none
 *  loses little enough. */
const swapPlace = (state: SequenceState, e: number): number => {
  const { compiled, decoder, random } = state
  const j = decoder.taskOf[e]!
  const from = decoder.place[e]!
  const end = decoder.rest[e]! > 0 ? compiled.horizon : decoder.end[e]!
  const until = compiled.due[j]! > 0 && end > compiled.due[j]! ? compiled.due[j]! : Infinity
  let chosen = from
  let least = SWAP_LOSS_RATIO * possibleGain(state, e)
  for (let attempt = 0; attempt < 8; attempt++) {
    const at = Math.floor(random() * from)
    const other = decoder.order[at]!
    const k = decoder.taskOf[other]!
    if (decoder.earliness[other] === 0 || decoder.begin[other]! >= until) continue
    const loss = latenessOf(compiled, k, end, 0) - decoder.lateness[other]!
    const enough = Math.max(1, compiled.need[j]! / compiled.need[k]!)
    if (loss * enough < least) {
      least = loss * enough
      chosen = at
    }
  }
  return chosen
}

/** Whether the swap keeps all dependencies and the order of the turns of each task. */
const maySwap = ({ compiled, decoder }: SequenceState, a: number, b: number): boolean => {
  const { order, taskOf } = decoder
  const j = taskOf[order[a]!]!
  const k = taskOf[order[b]!]!
  if (j === k) return false
  for (let at = a + 1; at <= b; at++) {
    const other = taskOf[order[at]!]!
    if (other === j || compiled.predecessors[other]!.includes(j)) return false
  }
  for (let at = a; at < b; at++) {
    const other = taskOf[order[at]!]!
    if (other === k || compiled.predecessors[k]!.includes(other)) return false
  }
  return true
}
