// Sentences that say why a block is where it is, and why work is late or left over.
import { longestStretch, openAfter } from '../bounds/single-task.ts'
import { NO_DUE } from '../problem/weights.ts'
import { type ExplanationContext, inTime, type PlacedBlock } from './explanation-context.ts'
import { formatDelay, formatMinutes } from './format.ts'
import type { Proofs } from './infeasibility-proof.ts'
import { firstBlock } from './no-alternative.ts'

/** One or two sentences per block, in the order of the blocks. */
export function explain(context: ExplanationContext): string[] {
  const { sessions } = context
  const part = new Map<number, number>()
  return context.blocks.map((block) => {
    const number = (part.get(block.task) ?? 0) + 1
    part.set(block.task, number)
    const count = sessions[block.task]!.length / 2
    const why = whyThere(context, block, number)
    const first = count > 1 ? `Part ${number} of ${count}: ${why}` : why
    return [`${capitalize(first)}.`, dueStatus(context, block.task)].filter(Boolean).join(' ')
  })
}

function whyThere(context: ExplanationContext, block: PlacedBlock, part: number) {
  const { compiled, taskBounds, sessions, end, when, title } = context
  const j = block.task
  if (isKept(context, block)) return 'kept at its earlier time'

  // The earliest minute for it: after its release, its predecessors and its own last part.
  let from = compiled.release[j]!
  let waited = -1
  for (const i of compiled.predecessors[j]!) {
    if (end[i]! >= from && end[i]! > 0) {
      from = end[i]!
      waited = i
    }
  }
  const after = waited >= 0 ? ` after ${title(waited)}, which it waits for` : ''
  const before = part > 1 ? sessions[j]![2 * part - 3]! + compiled.cooldown[j]! : 0
  const earliest = Math.max(from, before)
  const room = taskBounds.room[j]!
  const open = openAfter(room, earliest, block.start)
  if (!open) {
    if (before > from) return 'the next open time after the part before'
    if (waited >= 0) return `the first open time${after}`
    const own = compiled.tasks[j]!.startAfter
    if (from > 0 && own !== null)
      return `the first open time after ${context.format.time(own)} (start after)`
    if (from > 0) return `the first open time after ${when(from)}, when what it waits for is over`
    return overdue(context, j) ? 'as soon as possible' : 'the first open time in its windows'
  }
  const ahead = aheadOf(context, block, earliest)
  const behind = ahead < 0 ? '' : ` behind ${title(ahead)}${whyAhead(context, ahead, j)}`
  const longest = longestStretch(context.gaps(j), earliest, block.start)
  if (!longest) return `the first free time${after || behind}`
  if (longest < block.end - block.start) {
    return `the first free time that is long enough${after || behind}`
  }
  return `free time in its windows${after || behind}`
}

function isKept({ compiled }: ExplanationContext, { task, start, end }: PlacedBlock) {
  const earlier = compiled.previous[task]!
  for (let i = 0; i < earlier.length; i += 2) {
    if (earlier[i] === start && earlier[i + 1] === end) return true
  }
  return false
}

/** How many blocks are searched for one to name. */
const LOOK_BACK = 24

/** A task between the earliest minute and the block: one of higher urgency, or else the nearest. */
function aheadOf(
  { blocks, taskBounds, compiled }: ExplanationContext,
  block: PlacedBlock,
  earliest: number,
) {
  const { weight, due } = compiled
  const j = block.task
  const room = taskBounds.room[j]!
  const here = firstBlock(blocks, block.start)
  let nearest = -1
  for (let at = here - 1; at >= Math.max(0, here - LOOK_BACK); at--) {
    const { task, start, end } = blocks[at]!
    if (end <= earliest) break
    if (task === j || !openAfter(room, Math.max(start, earliest), end)) continue
    if (due[task]! < due[j]! || weight[task]! > weight[j]!) return task
    if (nearest < 0) nearest = task
  }
  return nearest
}

function whyAhead({ compiled, dueText }: ExplanationContext, i: number, j: number) {
  const { due, weight } = compiled
  if (due[i]! < due[j]!) return `, which is due earlier (${dueText(i)})`
  return weight[i]! > weight[j]! ? ', which matters more' : ''
}

function overdue({ compiled }: ExplanationContext, j: number) {
  const { dueAt } = compiled.tasks[j]!
  return dueAt !== null && dueAt < compiled.problem.now
}

/** Whether the task meets its due date, and which task waits for it. */
function dueStatus(context: ExplanationContext, j: number) {
  const { compiled, rest, end, when, title } = context
  const { due, successors } = compiled
  const waiting = successors[j]!.find((k) => compiled.need[k]! > 0)
  const then = waiting === undefined ? '' : `; ${title(waiting)} waits for it`
  if (due[j] === NO_DUE) return then ? `Done ${when(end[j]!)}${then}.` : ''
  if (rest[j]! > 0)
    return `${formatMinutes(rest[j]!)} of it found no place, due ${context.dueText(j)}.`
  return `${lateness(context, j)}${then}.`
}

function lateness(context: ExplanationContext, j: number) {
  const { compiled, end, when } = context
  const done = when(end[j]!)
  if (overdue(context, j)) return `Overdue since ${context.dueText(j)}; done ${done}`
  if (inTime(context, j)) return `Done ${done}, due ${context.dueText(j)}`
  const delay = formatDelay(end[j]! - compiled.due[j]!)
  return `Late: done ${done}, ${delay} after it was due ${context.dueText(j)}`
}

/** Why a task is at risk, with the proof if no plan could do better. */
export function lateReason(context: ExplanationContext, j: number, { late }: Proofs) {
  const { due } = context.compiled
  const proof = late.get(j) ?? null
  const is = overdue(context, j) ? 'was' : 'is'
  const fact =
    context.rest[j]! > 0
      ? `${missing(context, j)} no place; it ${is} due ${context.dueText(j)}.`
      : `${lateness(context, j)}.`
  return { text: `${fact} ${proof ?? plannersChoice(context, j, due[j]!)}`, proof }
}

/** Why a task is left over, in part or whole. */
export function leftReason(context: ExplanationContext, j: number, { leftOver }: Proofs) {
  const { predecessors, horizon } = context.compiled
  const proof = leftOver.get(j) ?? null
  const fact = `${missing(context, j)} no place in the next 14 days.`
  const before = predecessors[j]!.find((i) => context.rest[i]! > 0)
  if (!proof && before !== undefined) {
    const wait = `It waits for ${context.title(before)}, which is not planned in full.`
    return { text: `${fact} ${wait}`, proof }
  }
  return { text: `${fact} ${proof ?? plannersChoice(context, j, horizon)}`, proof }
}

function missing({ compiled, rest }: ExplanationContext, j: number) {
  const need = compiled.need[j]!
  if (rest[j] === need) return `Its ${formatMinutes(need)} found`
  return `${formatMinutes(rest[j]!)} of its ${formatMinutes(need)} found`
}

/** Without a proof a better plan may exist; the sentence names the tasks that were preferred. */
function plannersChoice(context: ExplanationContext, j: number, until: number) {
  const { blocks, taskBounds, compiled, title } = context
  const room = taskBounds.room[j]!
  const minutes = new Map<number, number>()
  let looked = 0
  for (let at = firstBlock(blocks, until) - 1; at >= 0 && looked < LOOK_BACK; at--, looked++) {
    const { task, start, end } = blocks[at]!
    if (end <= taskBounds.release[j]! || task === j) continue
    const taken = openAfter(room, start, end)
    if (taken) minutes.set(task, (minutes.get(task) ?? 0) + taken)
  }
  const first = [...minutes].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 2)
  if (!first.length)
    return 'A better plan may exist: the planner found no place that keeps to all its settings.'
  const names = first.map(([i]) => title(i)).join(' and ')
  const all = (test: (i: number) => boolean) => first.every(([i]) => test(i))
  const many = first.length > 1
  const because = all((i) => compiled.weight[i]! > compiled.weight[j]!)
    ? ` because ${many ? 'they matter' : 'it matters'} more`
    : all((i) => compiled.due[i]! < compiled.due[j]!)
      ? ` because ${many ? 'they are' : 'it is'} due earlier`
      : all((i) => compiled.weight[i]! >= compiled.weight[j]!)
        ? ` because ${many ? 'they matter' : 'it matters'} as much or more`
        : ' because that makes less work late as a whole'
  return `A better plan may exist: the planner put ${names} first${because}.`
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
