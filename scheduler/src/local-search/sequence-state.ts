// What the moves of late acceptance change: the sequence of turns, and the quota of a turn.
import type { Decoder } from '../placement/decoder.ts'
import type { Compiled } from '../problem/compile.ts'
import type { Move } from './move.ts'

export type SequenceMove = Move<SequenceState, SequenceChange>

export type SequenceState = {
  compiled: Compiled
  /** Holds the current sequence, which only `accept` changes, and the quotas. */
  decoder: Decoder
  random: () => number
  /** The sequence after the move, valid from `low` to `high`. */
  sequence: Int32Array
  /** Turns whose quota may change: those with a later turn of their task. */
  resizable: Int32Array
  /** The turns that a move shifts, and a flag per turn: 1 if it is one of them. */
  set: number[]
  inSet: Uint8Array
}

export type SequenceChange = {
  /** The first and last place at which the sequence changes. */
  low: number
  high: number
  /** The turns from `low` up to `shiftedUntil` keep their order and move `shift` places later. */
  shiftedUntil: number
  shift: number
  /** The turn whose quota has changed, or -1; and its previous quota. */
  resized: number
  quotaBefore: number
}

/** With more turns the other moves gain more than a change of quota. */
const MAX_RESIZABLE = 600

export const newSequenceState = (
  compiled: Compiled,
  decoder: Decoder,
  random: () => number,
): SequenceState => ({
  compiled,
  decoder,
  random,
  sequence: decoder.order.slice(),
  resizable: decoder.order.filter((e) => decoder.size <= MAX_RESIZABLE && decoder.after[e]! >= 0),
  set: [],
  inSet: new Uint8Array(decoder.size),
})

export const changeBetween = (low: number, high: number): SequenceChange => ({
  low,
  high,
  shiftedUntil: 0,
  shift: 0,
  resized: -1,
  quotaBefore: 0,
})

/** Undoes nothing, since the decoder keeps the current sequence until a change is accepted. */
export const keepSequence = (): void => {}
