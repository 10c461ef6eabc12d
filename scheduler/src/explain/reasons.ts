// Why a task is at risk or left over.
import { longestStretch } from '../bounds/single-task.ts'
import { type ExplanationContext, isOverdue } from './explanation-context.ts'
import type { Proofs } from './infeasibility-proof.ts'
import { firstBlock } from './no-alternative.ts'
import { late, leftOver, overdue } from './standing.ts'
import { type Session, tasksInFront } from './tasks-in-front.ts'
import { releaseOf } from './why-there.ts'

const MAYBE = 'There may be a better order; none was found.'

/** Returns functions that give the reason for a task, with a proof if there is one. */
export function createReasons(context: ExplanationContext, proofs: Proofs) {
  const { compiled, rest, dueText } = context
  const moreImportant = importantWork(context)
  const because = (j: number, until: number) =>
    proofs.isSkipped(j) ? moreImportant(j, until) : preferredTasks(context, j, until)

  function lateReason(j: number) {
    if (isOverdue(context, j)) {
      const text = overdue(context, j)
      return { text, proof: text }
    }
    const left = `${leftOver(context, j)}; it is due ${dueText(j)}`
    const fact = rest[j]! > 0 ? left : late(context, j)
    const proof = proofs.late.get(j) ?? null
    const limit = Math.min(compiled.due[j]!, compiled.horizon)
    return { text: withReason(fact, proof, () => because(j, limit)), proof }
  }

  function leftReason(j: number) {
    const fact = leftOver(context, j)
    const proof = proofs.leftOver.get(j) ?? null
    const before = compiled.predecessors[j]!.find((i) => rest[i]! > 0)
    if (!proof && before !== undefined) {
      const wait = `It waits for ${context.title(before)}, which is not planned in full.`
      return { text: `${fact}. ${wait}`, proof }
    }
    return { text: withReason(fact, proof, () => because(j, compiled.until[j]!)), proof }
  }
  return { lateReason, leftReason }
}

function withReason(fact: string, proof: string | null, because: () => string | null) {
  if (proof) return `${fact}. ${proof}`
  const why = because()
  return `${fact}${why ? ` because ${why}` : ''}. ${MAYBE}`
}

/** The reason if there is no proof: names tasks without which the work could be earlier. */
function preferredTasks(context: ExplanationContext, j: number, until: number) {
  const { compiled, title } = context
  const { causes, lesserCauses } = tasksInFront(context, missedSession(context, j, until))
  const named = (causes.length ? causes : lesserCauses).slice(0, 2)
  if (!named.length) return null
  const names = named.map(title).join(' and ')
  const isMany = named.length > 1
  const all = (test: (i: number) => boolean) => named.every(test)
  if (all((i) => compiled.weight[i]! > compiled.weight[j]!)) {
    return `${names} ${isMany ? 'matter' : 'matters'} more`
  }
  if (all((i) => compiled.due[i]! < compiled.due[j]!)) {
    return `${names} ${isMany ? 'are' : 'is'} due sooner`
  }
  if (all((i) => compiled.weight[i] === compiled.weight[j])) {
    return `${names}, which ${isMany ? 'matter' : 'matters'} as much, ${isMany ? 'come' : 'comes'} first`
  }
  return `${names} ${isMany ? 'come' : 'comes'} first`
}

/** The last session if the task is placed in full; otherwise a session that is missing before the limit. */
function missedSession(context: ExplanationContext, j: number, until: number): Session {
  const { blocks, compiled, rest, sessions } = context
  const { release } = releaseOf(context, j)
  const own = sessions[j]!
  if (!rest[j] && own.length) {
    const start = own[own.length - 2]!
    const before = own.length > 2 ? own[own.length - 3]! + compiled.cooldown[j]! : 0
    const length = own[own.length - 1]! - start
    const from = Math.max(release, before)
    return { task: j, from, until: start, length, block: firstBlock(blocks, start) }
  }
  const least = compiled.split[j] ? Math.min(compiled.min[j]!, rest[j]!) : compiled.need[j]!
  // Includes the cooldown to the task's other sessions on both sides.
  const length = least + (own.length ? 2 * compiled.cooldown[j]! : 0)
  return { task: j, from: release, until, length, block: -1 }
}

/** For tasks whose search for a proof was skipped: says whether work of at least their weight fills the time. */
function importantWork(context: ExplanationContext) {
  const { blocks, compiled, takesRoom, gaps } = context
  const { weight, classOf, split, min, need, horizon } = compiled
  // Per window set: the lowest weight of the blocks up to each block.
  const least = new Map<number, Int32Array>()
  function leastWeights(j: number) {
    let lowest = NO_WEIGHT
    return Int32Array.from(blocks, ({ task }, i) => {
      if (takesRoom(j, i, 0)) lowest = Math.min(lowest, weight[task]!)
      return lowest
    })
  }
  return (j: number, until: number) => {
    const weights = least.get(classOf[j]!) ?? leastWeights(j)
    least.set(classOf[j]!, weights)
    const lowest = weights[Math.min(firstBlock(blocks, until), blocks.length - 1)] ?? NO_WEIGHT
    const length = split[j] ? Math.min(min[j]!, need[j]!) : need[j]!
    const hasRoom = longestStretch(gaps(j), 0, until) >= length
    if (hasRoom || lowest < weight[j]! || lowest === NO_WEIGHT) return null
    const what = lowest > weight[j]! ? 'more important work' : 'work that matters as much or more'
    const when = until < horizon ? `the time before ${context.when(until)}` : 'all 14 days'
    return `${what} fills ${when}`
  }
}

const NO_WEIGHT = 0x7fffffff
