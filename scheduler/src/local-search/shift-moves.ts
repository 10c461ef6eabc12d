// Moves that shift a turn to another place, together with the turns that must stay before or after it.
import { earlierPlace, laterPlace, pickLateTurn, pickTurn } from './pick-turn.ts'
import {
  changeBetween,
  keepSequence,
  type SequenceChange,
  type SequenceMove,
  type SequenceState,
} from './sequence-state.ts'

/** How often all turns of the task move with the one that was picked. */
const WHOLE_TASK = 0.7

export const moveLateForward: SequenceMove = {
  name: 'move a late turn forward',
  propose: (state) => proposeForward(state, pickLateTurn(state)),
  undo: keepSequence,
}

export const moveForward: SequenceMove = {
  name: 'move a turn forward',
  propose: (state) => proposeForward(state, pickTurn(state)),
  undo: keepSequence,
}

export const moveBackward: SequenceMove = {
  name: 'move a turn backward',
  propose: (state) => proposeBackward(state, pickTurn(state)),
  undo: keepSequence,
}

/** Moves a turn forward, together with its predecessors. */
const proposeForward = (state: SequenceState, e: number): SequenceChange | undefined => {
  const { sequence, set, decoder, random } = state
  const { place } = decoder
  const from = place[e]!
  if (from === 0) return undefined
  const low = earlierPlace(state, e, from)
  const whole = random() < WHOLE_TASK
  collectTurns(state, e, low, from, whole, true)
  const high = place[set.at(-1)!]!
  const shift = set.length
  const shiftedUntil = place[set[0]!]!
  const changes = shiftedUntil !== low || high - low + 1 !== shift
  if (changes) {
    for (let i = 0; i < shift; i++) sequence[low + i] = set[i]!
    writeOthers(state, low, high, low + shift)
  }
  clearSet(state)
  return changes ? { low, high, shiftedUntil, shift, resized: -1, quotaBefore: 0 } : undefined
}

/** Moves a turn backward, together with its successors. */
const proposeBackward = (state: SequenceState, e: number): SequenceChange | undefined => {
  const { sequence, set, decoder, random } = state
  const { place, size } = decoder
  const from = place[e]!
  if (from >= size - 1) return undefined
  const high = laterPlace(state, from)
  collectTurns(state, e, from, high, random() < WHOLE_TASK, false)
  const low = place[set[0]!]!
  let write = writeOthers(state, low, high, low)
  const changes = write !== low
  if (changes) for (const other of set) sequence[write++] = other
  clearSet(state)
  return changes ? changeBetween(low, high) : undefined
}

/** Writes the turns from `low` to `high` that are not in the set; returns the place after the last. */
const writeOthers = (
  { sequence, inSet, decoder }: SequenceState,
  low: number,
  high: number,
  from: number,
): number => {
  let write = from
  for (let at = low; at <= high; at++) {
    const other = decoder.order[at]!
    if (!inSet[other]) sequence[write++] = other
  }
  return write
}

/** Collects into `set` the turn, or all turns of its task, and the turns from `low` to `high` that must
 *  move with it. */
const collectTurns = (
  state: SequenceState,
  e: number,
  low: number,
  high: number,
  whole: boolean,
  forward: boolean,
): void => {
  const { compiled, decoder, set } = state
  const { place } = decoder
  set.length = 0
  addTurn(state, e)
  const neighbours = forward ? compiled.predecessors : compiled.successors
  for (let i = 0; i < set.length; i++) {
    const turn = set[i]!
    const j = decoder.taskOf[turn]!
    // The neighbours of this task were added with its previous turn.
    if (i > 0 && decoder.taskOf[set[i - 1]!] === j) continue
    if (whole || i > 0) {
      for (let other = decoder.firstTurn[j]!; other >= 0; other = decoder.after[other]!) {
        const at = place[other]!
        if (forward ? at >= low : at <= high) addTurn(state, other)
      }
    } else {
      // Turns of one task keep their order.
      const next = forward ? decoder.before : decoder.after
      for (let other = next[turn]!; other >= 0; other = next[other]!) {
        const at = place[other]!
        if (at >= low && at <= high) addTurn(state, other)
      }
    }
    for (const other of neighbours[j]!) {
      const near = forward ? decoder.lastTurn[other]! : decoder.firstTurn[other]!
      if (near < 0) continue
      const at = place[near]!
      if (at >= low && at <= high) addTurn(state, near)
    }
  }
  set.sort((a, b) => place[a]! - place[b]!)
}

const addTurn = ({ set, inSet }: SequenceState, turn: number): void => {
  if (inSet[turn]) return
  inSet[turn] = 1
  set.push(turn)
}

const clearSet = ({ set, inSet }: SequenceState): void => {
  for (const e of set) inSet[e] = 0
  set.length = 0
}
