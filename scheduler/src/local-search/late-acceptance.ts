// Local search for a better sequence of turns: late acceptance hill climbing over moves of one task
// or turn. The budget is counted in moves, not in time, so that every machine finds the same plan.
import type { Compiled } from '../problem/compile.ts'
import { compareCosts, latenessOf } from '../objective/cost.ts'
import type { Decoder } from '../placement/decoder.ts'
import type { Cost } from '../model.ts'
import { randomFrom } from './random.ts'

/** A move is accepted if it costs no more than the sequence so many moves ago: long enough to leave
 *  a local optimum, short enough for the budget. */
const HISTORY_LENGTH = 5
const HISTORY_LENGTH_OF_FEW = 20
/** Without avoidable lateness the search stops after this many moves without improvement. */
const MAX_IDLE = 300
/** Otherwise after this many per turn. */
const MAX_IDLE_PER_TURN = 60

/** The largest loss of the other task in a swap, relative to the possible gain of the late one. */
const SWAP_LOSS_RATIO = 1.2

/** Leaves the best sequence found as the current one of the decoder. */
export const searchByLateAcceptance = (
  compiled: Compiled,
  decoder: Decoder,
  budget: number,
  seed: number,
): void => {
  const { size, order, place } = decoder
  if (size < 2) return
  decoder.start(order.slice())
  const random = randomFrom(20260105 + seed)
  const sequence = order.slice()
  const inSet = new Uint8Array(size)
  const set: number[] = []
  const history: Cost[] = Array.from(
    { length: size <= 40 ? HISTORY_LENGTH_OF_FEW : HISTORY_LENGTH },
    () => decoder.cost,
  )
  const best = order.slice()
  const bestQuota = decoder.quota.slice()
  // With many turns the other moves gain more.
  const resizable = size > 600 ? [] : order.filter((e) => decoder.after[e]! >= 0)
  let bestCost = decoder.cost
  let unavoidable = 0
  for (let e = 0; e < size; e++) unavoidable += decoder.unavoidable[e]!
  let idle = 0

  for (let round = 0; round < budget; round++) {
    if (idle > MAX_IDLE && bestCost.lateness <= unavoidable && bestCost.leftOver === 0) break
    if (idle > MAX_IDLE_PER_TURN * size) break
    idle++
    const kind = random()
    let low: number
    let high: number
    let shiftedUntil = 0
    let shift = 0
    let resized = -1
    let before = 0
    if (kind < 0.55) {
      // Forward, together with its predecessors.
      const e = kind < 0.4 ? pickLateTurn() : pickTurn()
      const from = place[e]!
      if (from === 0) continue
      const to = earlierPlace(e, from)
      const whole = random() < 0.7
      collectTurns(e, to, from, whole, true)
      low = to
      high = place[set.at(-1)!]!
      shift = set.length
      shiftedUntil = place[set[0]!]!
      if (shiftedUntil - low === 0 && high - low + 1 === shift) {
        clearSet()
        continue
      }
      for (let i = 0; i < shift; i++) sequence[low + i] = set[i]!
      let write = low + shift
      for (let at = low; at <= high; at++) {
        const other = order[at]!
        if (!inSet[other]) sequence[write++] = other
      }
    } else if (kind < 0.75) {
      // Backward, together with its successors.
      const e = pickTurn()
      const from = place[e]!
      if (from >= size - 1) continue
      const to = Math.min(size - 1, from + 1 + Math.floor(random() ** 2 * moveRadius()))
      collectTurns(e, from, to, random() < 0.7, false)
      low = place[set[0]!]!
      high = to
      let write = low
      for (let at = low; at <= high; at++) {
        const other = order[at]!
        if (!inSet[other]) sequence[write++] = other
      }
      if (write === low) {
        clearSet()
        continue
      }
      for (const other of set) sequence[write++] = other
    } else if (kind > 0.9 && resizable.length > 0) {
      // Resize: another length for a session.
      resized = resizable[Math.floor(random() * resizable.length)]!
      before = decoder.quota[resized]!
      decoder.quota[resized] = randomQuota(decoder.taskOf[resized]!)
      low = place[resized]!
      high = low
      sequence[low] = resized
    } else {
      // Swap: two turns near each other, or a late one with one that loses less by being late.
      const e = kind < 0.82 ? pickLateTurn() : pickTurn()
      const a = kind < 0.82 ? swapPlace(e) : place[e]!
      const b =
        kind < 0.82 ? place[e]! : Math.min(size - 1, a + 1 + Math.floor(random() ** 2 * moveRadius()))
      if (a >= b || !maySwap(a, b)) continue
      low = a
      high = b
      for (let at = low; at <= high; at++) sequence[at] = order[at]!
      sequence[a] = order[b]!
      sequence[b] = order[a]!
    }
    clearSet()

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
    } else if (resized >= 0) decoder.quota[resized] = before
    history[slot] = decoder.cost
  }
  decoder.quota.set(bestQuota)
  decoder.start(best)

  /** How many places a turn moves at most when it moves to a near place. */
  function moveRadius(): number {
    return Math.max(8, Math.min(size, 200) / 4)
  }
  function pickTurn(): number {
    for (let attempt = 0; attempt < 4; attempt++) {
      const e = order[Math.floor(random() * size)]!
      if (decoder.earliness[e]! > 0) return e
    }
    return order[Math.floor(random() * size)]!
  }
  /** Of a few random late turns the one with the largest possible gain per minute. */
  function pickLateTurn(): number {
    let chosen = -1
    let most = -1
    let found = 0
    for (let attempt = 0; attempt < 16 && found < 3; attempt++) {
      const e = Math.floor(random() * size)
      const gain = possibleGain(e)
      if (gain <= 0) continue
      found++
      const gainPerMinute = gain / compiled.need[decoder.taskOf[e]!]!
      if (gainPerMinute > most) {
        most = gainPerMinute
        chosen = e
      }
    }
    return chosen < 0 ? pickTurn() : chosen
  }
  /** Of a few random turns in front, the place of the one that loses least; its own if none. */
  function swapPlace(e: number): number {
    const j = decoder.taskOf[e]!
    const from = place[e]!
    const end = decoder.rest[e]! > 0 ? compiled.horizon : decoder.end[e]!
    const until = compiled.due[j]! > 0 && end > compiled.due[j]! ? compiled.due[j]! : Infinity
    let chosen = from
    let least = SWAP_LOSS_RATIO * possibleGain(e)
    for (let attempt = 0; attempt < 8; attempt++) {
      const at = Math.floor(random() * from)
      const other = order[at]!
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
  function possibleGain(e: number): number {
    return decoder.lateness[e]! - decoder.unavoidable[e]! + decoder.leftOver[e]!
  }
  /** A place before a turn that starts before the due date. */
  function earlierPlace(e: number, from: number): number {
    const due = compiled.due[decoder.taskOf[e]!]!
    const until = due > 0 && decoder.end[e]! > due ? due : Infinity
    const near = random() < 0.7
    for (let attempt = 0; attempt < 8; attempt++) {
      const to = near
        ? Math.max(0, from - 1 - Math.floor(random() ** 2 * moveRadius()))
        : Math.floor(random() * from)
      const other = order[to]!
      if (decoder.earliness[other]! > 0 && decoder.begin[other]! < until) return to
    }
    return Math.floor(random() * from)
  }
  function randomQuota(j: number): number {
    const min = compiled.min[j]!
    const most = Math.min(compiled.max[j]!, compiled.need[j]!)
    if (random() < 0.25 || most < min) return 0
    const step = random() < 0.7 ? 15 : 5
    return min + step * Math.floor(random() * (1 + (most - min) / step))
  }
  /** Collects the turn, or all turns of its task, and the turns between the places that must move
   *  with it. */
  function collectTurns(e: number, low: number, high: number, whole: boolean, forward: boolean): void {
    const add = (turn: number) => {
      if (inSet[turn]) return
      inSet[turn] = 1
      set.push(turn)
    }
    set.length = 0
    add(e)
    const neighbours = forward ? compiled.predecessors : compiled.successors
    for (let i = 0; i < set.length; i++) {
      const turn = set[i]!
      const j = decoder.taskOf[turn]!
      // The neighbours of this task were added with its previous turn.
      if (i > 0 && decoder.taskOf[set[i - 1]!] === j) continue
      if (whole || i > 0) {
        for (let other = decoder.firstTurn[j]!; other >= 0; other = decoder.after[other]!) {
          const at = place[other]!
          if (forward ? at >= low : at <= high) add(other)
        }
      } else {
        // Turns of one task keep their order.
        const next = forward ? decoder.before : decoder.after
        for (let other = next[turn]!; other >= 0; other = next[other]!) {
          const at = place[other]!
          if (at >= low && at <= high) add(other)
        }
      }
      for (const other of neighbours[j]!) {
        let near = forward ? decoder.lastTurn[other]! : decoder.firstTurn[other]!
        if (near < 0) continue
        const at = place[near]!
        if (at >= low && at <= high) add(near)
      }
    }
    set.sort((a, b) => place[a]! - place[b]!)
  }
  function clearSet(): void {
    for (const e of set) inSet[e] = 0
    set.length = 0
  }
  function maySwap(a: number, b: number): boolean {
    const x = order[a]!
    const y = order[b]!
    const j = decoder.taskOf[x]!
    const k = decoder.taskOf[y]!
    if (j === k) return false
    for (let at = a + 1; at <= b; at++) {
      const other = decoder.taskOf[order[at]!]!
      if (other === j || compiled.predecessors[other]!.includes(j)) return false
    }
    for (let at = a; at < b; at++) {
      const other = decoder.taskOf[order[at]!]!
      if (other === k || compiled.predecessors[k]!.includes(other)) return false
    }
    return true
  }
}
