// Local search for a better sequence of turns: late acceptance hill climbing over moves of one task
// or turn. The budget is counted in moves, not in time, so that every machine finds the same plan.
import type { Cost } from '../model.ts'
import { compareCosts } from '../objective/cost.ts'
import type { Decoder } from '../placement/decoder.ts'
import type { Compiled } from '../problem/compile.ts'
import { randomFrom } from './random.ts'
import { newSequenceState } from './sequence-state.ts'
import { drawSequenceMove } from './sequence-moves.ts'

/** A move is accepted if it costs no more than the current sequence or the one this many moves ago: long
 *  enough to leave a local optimum, short enough for the budget. */
const HISTORY_LENGTH = 5
const HISTORY_LENGTH_OF_FEW = 20
/** With only unavoidable lateness and nothing left over, the search stops after this many moves without
 *  improvement. */
const MAX_IDLE = 300
/** In any case, the search stops after this many moves per turn without improvement. */
const MAX_IDLE_PER_TURN = 60

/** Leaves the best sequence found as the current one of the decoder. */
export const searchByLateAcceptance = (
  compiled: Compiled,
  decoder: Decoder,
  budget: number,
  seed: number,
): void => {
  const { size, order } = decoder
  if (size < 2) return
  decoder.start(order.slice())
  const state = newSequenceState(compiled, decoder, randomFrom(20260105 + seed))
  const { sequence } = state
  const history: Cost[] = Array.from(
    { length: size <= 40 ? HISTORY_LENGTH_OF_FEW : HISTORY_LENGTH },
    () => decoder.cost,
  )
  const best = order.slice()
  const bestQuota = decoder.quota.slice()
  let bestCost = decoder.cost
  let unavoidable = 0
  for (let e = 0; e < size; e++) unavoidable += decoder.unavoidable[e]!
  let idle = 0

  for (let round = 0; round < budget; round++) {
    if (idle > MAX_IDLE && bestCost.lateness <= unavoidable && bestCost.leftOver === 0) break
    if (idle > MAX_IDLE_PER_TURN * size) break
    idle++
    const move = drawSequenceMove(state)
    const change = move.propose(state)
    if (!change) continue
    const { low, high, shiftedUntil, shift } = change

    const slot = round % history.length
    const limit = compareCosts(history[slot]!, decoder.cost) > 0 ? history[slot]! : decoder.cost
    if (decoder.try(sequence, low, high, shiftedUntil, shift, limit)) {
      decoder.accept(sequence, low, high)
      if (compareCosts(decoder.cost, bestCost) < 0) {
        bestCost = decoder.cost
        best.set(order)
        bestQuota.set(decoder.quota)
        idle = 0
      }
    } else move.undo(state, change)
    history[slot] = decoder.cost
  }
  decoder.quota.set(bestQuota)
  decoder.start(best)
}
