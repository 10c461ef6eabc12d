// How often late acceptance tries each of its moves.
import { resizeSession } from './resize-move.ts'
import type { SequenceMove, SequenceState } from './sequence-state.ts'
import { moveBackward, moveForward, moveLateForward } from './shift-moves.ts'
import { swapLate, swapNear } from './swap-moves.ts'

/** The first move whose `below` exceeds a random number is drawn, so `below` is cumulative. */
export const SEQUENCE_MOVES: readonly { move: SequenceMove; below: number }[] = [
  { move: moveLateForward, below: 0.4 },
  { move: moveForward, below: 0.55 },
  { move: moveBackward, below: 0.75 },
  { move: swapLate, below: 0.82 },
  { move: swapNear, below: 0.9 },
  { move: resizeSession, below: 1 },
]

export const drawSequenceMove = ({ random, resizable }: SequenceState): SequenceMove => {
  const drawn = random()
  const { move } = SEQUENCE_MOVES.find(({ below }) => drawn < below)!
  return move === resizeSession && resizable.length === 0 ? swapNear : move
}
