// The moves of the local search: they change the sequence of turns at the places `low` to `high`.
import { latenessOf } from '../objective/cost.ts'
import type { Decoder } from '../placement/decoder.ts'
import type { Compiled } from '../problem/compile.ts'

/** The largest loss of the other task in a swap, relative to the possible gain of the late one. */
const SWAP_LOSS_RATIO = 1.2

export type Move = {
  low: number
  high: number
  /** The turns from `low` up to `shiftedUntil` keep their order and move back by `shift` places. */
  shiftedUntil: number
  shift: number
  /** The turn whose quota the move has changed, and the quota before; -1 if none. */
  resized: number
  quotaBefore: number
}

export const newMoves = (compiled: Compiled, decoder: Decoder, random: () => number) => {
  const { size, order, place } = decoder
  /** The sequence after the move, valid from `low` to `high`. */
  const sequence = order.slice()
  const inSet = new Uint8Array(size)
  const set: number[] = []
  // With many turns the other moves gain more.
  const resizable = size > 600 ? [] : order.filter((e) => decoder.after[e]! >= 0)

  /** Writes a random move to `sequence`; undefined if the one drawn is impossible. */
  const propose = (): Move | undefined => {
    const kind = random()
    if (kind < 0.55) return moveForward(kind < 0.4 ? pickLateTurn() : pickTurn())
    if (kind < 0.75) return moveBackward(pickTurn())
    if (kind > 0.9 && resizable.length > 0) return resize()
    return kind < 0.82 ? swapLate(pickLateTurn()) : swapNear(pickTurn())
  }

  return { sequence, propose }

  /** Moves a turn forward, together with its predecessors. */
  function moveForward(e: number): Move | undefined {
    const from = place[e]!
    if (from === 0) return undefined
    const low = earlierPlace(e, from)
    const whole = random() < 0.7
    collectTurns(e, low, from, whole, true)
    const high = place[set.at(-1)!]!
    const shift = set.length
    const shiftedUntil = place[set[0]!]!
    const changes = shiftedUntil !== low || high - low + 1 !== shift
    if (changes) {
      for (let i = 0; i < shift; i++) sequence[low + i] = set[i]!
      writeOthers(low, high, low + shift)
    }
    clearSet()
    return changes ? { low, high, shiftedUntil, shift, resized: -1, quotaBefore: 0 } : undefined
  }

  /** Moves a turn backward, together with its successors. */
  function moveBackward(e: number): Move | undefined {
    const from = place[e]!
    if (from >= size - 1) return undefined
    const high = laterPlace(from)
    collectTurns(e, from, high, random() < 0.7, false)
    const low = place[set[0]!]!
    let write = writeOthers(low, high, low)
    const changes = write !== low
    if (changes) for (const other of set) sequence[write++] = other
    clearSet()
    return changes ? simpleMove(low, high) : undefined
  }

  /** Gives a session another length. */
  function resize(): Move {
    const resized = resizable[Math.floor(random() * resizable.length)]!
    const quotaBefore = decoder.quota[resized]!
    decoder.quota[resized] = randomQuota(decoder.taskOf[resized]!)
    const low = place[resized]!
    sequence[low] = resized
    return { ...simpleMove(low, low), resized, quotaBefore }
  }

  /** Swaps a late turn with one in front that loses less by being late. */
  function swapLate(e: number): Move | undefined {
    return swap(swapPlace(e), place[e]!)
  }

  /** Swaps a turn with one shortly behind it. */
  function swapNear(e: number): Move | undefined {
    return swap(place[e]!, laterPlace(place[e]!))
  }

  function swap(a: number, b: number): Move | undefined {
    if (a >= b || !maySwap(a, b)) return undefined
    for (let at = a; at <= b; at++) sequence[at] = order[at]!
    sequence[a] = order[b]!
    sequence[b] = order[a]!
    return simpleMove(a, b)
  }

  function simpleMove(low: number, high: number): Move {
    return { low, high, shiftedUntil: 0, shift: 0, resized: -1, quotaBefore: 0 }
  }

  /** Writes the turns between the places that are not in the set; returns the place behind them. */
  function writeOthers(low: number, high: number, write: number): number {
    for (let at = low; at <= high; at++) {
      const other = order[at]!
      if (!inSet[other]) sequence[write++] = other
    }
    return write
  }

  function laterPlace(from: number): number {
    return Math.min(size - 1, from + 1 + Math.floor(random() ** 2 * moveRadius()))
  }

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
  function collectTurns(
    e: number,
    low: number,
    high: number,
    whole: boolean,
    forward: boolean,
  ): void {
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
