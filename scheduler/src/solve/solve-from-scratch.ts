// Solves the problem without an earlier plan: local search from the best initial solutions.
import { type Bound, relativeGap } from '../bounds/lower-bound.ts'
import type { InitialSolutions } from '../construction/initial-solutions.ts'
import { MAX_TURNS_PER_TASK } from '../construction/orders.ts'
import type { SolverContext } from '../construction/solver-context.ts'
import { searchByLateAcceptance } from '../local-search/late-acceptance.ts'
import type { Cost } from '../model.ts'
import { compareCosts, costOf } from '../objective/cost.ts'
import { Decoder, type Turn } from '../placement/decoder.ts'
import type { Compiled } from '../problem/compile.ts'
import type { Sessions } from '../problem/sessions.ts'

/** Up to this many tasks the search starts from several initial solutions. */
const SMALL_PROBLEM = 20

/** Up to this many tasks, the search may split even a task's only session in two. */
const FEW = 60

/** Above this many tasks the second search finds nothing in its budget. */
const MANY = 250

/** The number of moves if the initial solution is far above the bound. */
const HARD_BUDGET = 5000

/** The share of the budget for the first search. */
const FIRST_SHARE = 0.6

/** Per task the pairs of its sessions. */
export const solveFromScratch = (
  { compiled, placer, unavoidable }: SolverContext,
  { decoders, bound }: InitialSolutions,
): Sessions[] => {
  const budget = budgetFor(compiled, decoders[0]!, bound)
  const many = compiled.tasks.length > MANY
  const few = compiled.tasks.length <= SMALL_PROBLEM
  const decoderOf = (turns: Turn[]) => new Decoder(compiled, placer, turns, unavoidable)
  // It is unknown which initial solution leads to the best plan. If the gap is wide or the problem is
  // small, more searches are made, each initial solution with two seeds.
  const hard = few || budget === HARD_BUDGET
  const chosen = decoders.slice(0, few ? 4 : hard && compiled.tasks.length <= FEW ? 2 : 1)
  const tried = hard ? [...chosen, ...chosen.map((start) => decoderOf(start.turns()))] : chosen
  const moves = Math.ceil((many ? budget : budget * FIRST_SHARE) / tried.length)
  const found: SearchResult[] = []
  for (const [i, start] of tried.entries()) {
    found.push(searchFrom(compiled, start, moves, i))
    // At the lower bound no search can reduce the lateness.
    if (found[i]!.lateness <= bound.lateness) break
  }
  found.sort((a, b) => compareCosts(a.cost, b.cost))
  if (many) return found[0]!.sessions
  // The second search moves each session by itself, so that tasks may alternate.
  const refined = found.slice(0, few && found[0]!.lateness > bound.lateness ? 2 : 1)
  const more = Math.ceil((budget * (1 - FIRST_SHARE)) / (few ? 2 : 1))
  const refinedResults = refined.map(({ sessions }, i) =>
    searchFrom(compiled, decoderOf(turnsOf(compiled, sessions)), more, i),
  )
  return [...found.slice(0, 1), ...refinedResults].reduce((a, b) =>
    compareCosts(b.cost, a.cost) < 0 ? b : a,
  ).sessions
}

type SearchResult = { cost: Cost; sessions: Sessions[]; lateness: number }

const searchFrom = (
  compiled: Compiled,
  decoder: Decoder,
  moves: number,
  seed: number,
): SearchResult => {
  searchByLateAcceptance(compiled, decoder, moves, seed)
  const sessions = decoder.sessions()
  // The cost of the decoder does not include tasks that need no time.
  return { cost: decoder.cost, sessions, lateness: costOf(compiled, sessions).lateness }
}

/** One turn per session in order of time, then the tasks that are not placed. */
const turnsOf = (compiled: Compiled, sessions: readonly Sessions[]): Turn[] => {
  const { need, min, split, tasks } = compiled
  // An empty turn in front of the session lets the search move a part of the session into it.
  const mayBeCut = (j: number) =>
    split[j] === 1 &&
    need[j]! >= 2 * min[j]! &&
    (tasks.length <= SMALL_PROBLEM || (tasks.length <= FEW && sessions[j]!.length === 2))
  const turns = sessions
    .flatMap((pairs, task) =>
      Array.from({ length: Math.min(2 * MAX_TURNS_PER_TASK, pairs.length / 2) }, (_, i) => ({
        task,
        start: pairs[2 * i]!,
        quota: pairs[2 * i + 1]! - pairs[2 * i]!,
      })),
    )
    .toSorted((a, b) => a.start - b.start)
    .flatMap((turn) => (mayBeCut(turn.task) ? [{ ...turn, quota: 0 }, turn] : [turn]))
  const unplaced = compiled.topological.filter(
    (j) => compiled.need[j]! > 0 && sessions[j]!.length === 0,
  )
  return [...turns, ...Array.from(unplaced, (task) => ({ task, quota: compiled.need[task]! }))]
}

/** The number of moves to try, more where the gap is wide. A move decodes at most about a fifth of
 *  the sequence. */
const budgetFor = (compiled: Compiled, start: Decoder, bound: Bound): number => {
  const count = compiled.tasks.length
  if (count <= SMALL_PROBLEM) return Math.min(6000, 12 * count ** 3)
  if (count > MANY) return count <= 1000 ? 100 : 40
  const gap = relativeGap(costOf(compiled, start.sessions()).lateness, bound)
  return gap < 0.01 ? 800 : gap < 0.03 ? 2000 : HARD_BUDGET
}
