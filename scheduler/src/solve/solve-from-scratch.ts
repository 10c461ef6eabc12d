// A plan from nothing: the best of several start sequences, then the search.
import { type Bound, relativeGap } from '../bounds/lower-bound.ts'
import type { Compiled } from '../problem/compile.ts'
import { compareCosts, costOf } from '../objective/cost.ts'
import { Decoder, type Turn } from '../placement/decoder.ts'
import type { Cost } from '../model.ts'
import { MOST_TURNS } from '../construction/orders.ts'
import { search } from '../local-search/late-acceptance.ts'
import type { Sessions } from '../problem/sessions.ts'
import type { Ground } from '../construction/solver-context.ts'
import type { Starts } from '../construction/initial-solutions.ts'

/** Up to so many tasks every problem is worth several beginnings. */
const SMALL = 20

/** Up to so many tasks even a single session is tried in two parts. */
const FEW = 60

/** Tasks beyond which the second search finds nothing in its budget. */
const MANY = 250

/** Moves where the start is far above the bound. */
const BUDGET_OF_HARD = 5000

/** The share of the budget for whole tasks. */
const FIRST = 0.6

/** Per task the pairs of its sessions. */
export const freshPlan = (
  { compiled, placer, unavoidable }: Ground,
  { decoders, bound }: Starts,
): Sessions[] => {
  const budget = budgetFor(compiled, decoders[0]!, bound)
  const many = compiled.tasks.length > MANY
  const few = compiled.tasks.length <= SMALL
  const decoderOf = (turns: Turn[]) => new Decoder(compiled, placer, turns, unavoidable)
  // Where quite different beginnings lead is hard to tell: where much can be won several are
  // followed, each twice.
  const hard = few || budget === BUDGET_OF_HARD
  const begun = decoders.slice(0, few ? 4 : hard && compiled.tasks.length <= FEW ? 2 : 1)
  const tried = hard ? [...begun, ...begun.map((start) => decoderOf(start.turns()))] : begun
  const moves = Math.ceil((many ? budget : budget * FIRST) / tried.length)
  const found: Found[] = []
  for (const [i, start] of tried.entries()) {
    found.push(searched(compiled, start, moves, i))
    // Nothing is less late.
    if (found[i]!.lateness <= bound.lateness) break
  }
  found.sort((a, b) => compareCosts(a.cost, b.cost))
  if (many) return found[0]!.sessions
  // Once more with every session on its own: tasks may then alternate where none could move whole.
  const again = found.slice(0, few && found[0]!.lateness > bound.lateness ? 2 : 1)
  const more = Math.ceil((budget * (1 - FIRST)) / (few ? 2 : 1))
  const finer = again.map(({ sessions }, i) =>
    searched(compiled, decoderOf(turnsOf(compiled, sessions)), more, i),
  )
  return [...found.slice(0, 1), ...finer].reduce((a, b) =>
    compareCosts(b.cost, a.cost) < 0 ? b : a,
  ).sessions
}

type Found = { cost: Cost; sessions: Sessions[]; lateness: number }

const searched = (compiled: Compiled, decoder: Decoder, moves: number, seed: number): Found => {
  search(compiled, decoder, moves, seed)
  const sessions = decoder.sessions()
  // The decoder does not count what no turn can change.
  return { cost: decoder.cost, sessions, lateness: costOf(compiled, sessions).lateness }
}

/** The sessions in order of time, each a turn; behind them who found no place. */
const turnsOf = (compiled: Compiled, sessions: readonly Sessions[]): Turn[] => {
  const { need, min, split, tasks } = compiled
  // An empty turn in front is one that the search may fill with part of the session.
  const mayBeCut = (j: number) =>
    split[j] === 1 &&
    need[j]! >= 2 * min[j]! &&
    (tasks.length <= SMALL || (tasks.length <= FEW && sessions[j]!.length === 2))
  const turns = sessions
    .flatMap((pairs, task) =>
      Array.from({ length: Math.min(2 * MOST_TURNS, pairs.length / 2) }, (_, i) => ({
        task,
        start: pairs[2 * i]!,
        quota: pairs[2 * i + 1]! - pairs[2 * i]!,
      })),
    )
    .toSorted((a, b) => a.start - b.start)
    .flatMap((turn) => (mayBeCut(turn.task) ? [{ ...turn, quota: 0 }, turn] : [turn]))
  const without = compiled.topological.filter(
    (j) => compiled.need[j]! > 0 && sessions[j]!.length === 0,
  )
  return [...turns, ...Array.from(without, (task) => ({ task, quota: compiled.need[task]! }))]
}

/** Moves to try; each decodes a fifth of a sequence or less. More where more can be won. */
const budgetFor = (compiled: Compiled, start: Decoder, bound: Bound): number => {
  const count = compiled.tasks.length
  if (count <= SMALL) return Math.min(6000, 12 * count ** 3)
  if (count > MANY) return count <= 1000 ? 100 : 40
  const gap = relativeGap(costOf(compiled, start.sessions()).lateness, bound)
  return gap < 0.01 ? 800 : gap < 0.03 ? 2000 : BUDGET_OF_HARD
}
