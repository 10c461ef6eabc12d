// Why each block is where it is, and why work is late or left over, in plain words.
import { longestStretch, openAfter } from '../bounds/single-task.ts'
import { firstBlock } from './no-alternative.ts'
import { inTime, type Outlook, type PlacedBlock } from './explanation-context.ts'
import type { Proofs } from './infeasibility-proof.ts'
import { NO_DUE } from '../problem/weights.ts'
import { longSpan, span } from './format.ts'

/** One or two sentences per block, in the order of the blocks. */
export function explain(view: Outlook): string[] {
  const { sessions } = view
  const part = new Map<number, number>()
  return view.blocks.map((block) => {
    const number = (part.get(block.task) ?? 0) + 1
    part.set(block.task, number)
    const count = sessions[block.task]!.length / 2
    const why = whyThere(view, block, number)
    const first = count > 1 ? `Part ${number} of ${count}: ${why}` : why
    return [`${upper(first)}.`, standing(view, block.task)].filter(Boolean).join(' ')
  })
}

function whyThere(view: Outlook, block: PlacedBlock, part: number) {
  const { compiled, taskBounds, sessions, end, when, title } = view
  const j = block.task
  if (wasThere(view, block)) return 'kept at its earlier time'

  // From here on it could have been placed: its release, what it waits for, its own last part.
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
  const gate = Math.max(from, before)
  const room = taskBounds.room[j]!
  const open = openAfter(room, gate, block.start)
  if (!open) {
    if (before > from) return 'the next open time after the part before'
    if (waited >= 0) return `the first open time${after}`
    const own = compiled.tasks[j]!.startAfter
    if (from > 0 && own !== null)
      return `the first open time after ${view.words.time(own)} (start after)`
    if (from > 0) return `the first open time after ${when(from)}, when what it waits for is over`
    return overdue(view, j) ? 'as soon as possible' : 'the first open time in its windows'
  }
  const ahead = aheadOf(view, block, gate)
  const behind = ahead < 0 ? '' : ` behind ${title(ahead)}${whyAhead(view, ahead, j)}`
  const longest = longestStretch(view.gaps(j), gate, block.start)
  if (!longest) return `the first free time${after || behind}`
  if (longest < block.end - block.start) {
    return `the first free time that is long enough${after || behind}`
  }
  return `free time in its windows${after || behind}`
}

function wasThere({ compiled }: Outlook, { task, start, end }: PlacedBlock) {
  const earlier = compiled.previous[task]!
  for (let i = 0; i < earlier.length; i += 2) {
    if (earlier[i] === start && earlier[i + 1] === end) return true
  }
  return false
}

/** How many blocks are looked at for one to name. */
const LOOK_BACK = 24

/** A task in the way between the gate and the block: one that had to come first, or the nearest. */
function aheadOf({ blocks, taskBounds, compiled }: Outlook, block: PlacedBlock, gate: number) {
  const { weight, due } = compiled
  const j = block.task
  const room = taskBounds.room[j]!
  const here = firstBlock(blocks, block.start)
  let nearest = -1
  for (let at = here - 1; at >= Math.max(0, here - LOOK_BACK); at--) {
    const { task, start, end } = blocks[at]!
    if (end <= gate) break
    if (task === j || !openAfter(room, Math.max(start, gate), end)) continue
    if (due[task]! < due[j]! || weight[task]! > weight[j]!) return task
    if (nearest < 0) nearest = task
  }
  return nearest
}

function whyAhead({ compiled, dueWords }: Outlook, i: number, j: number) {
  const { due, weight } = compiled
  if (due[i]! < due[j]!) return `, which is due earlier (${dueWords(i)})`
  return weight[i]! > weight[j]! ? ', which matters more' : ''
}

function overdue({ compiled }: Outlook, j: number) {
  const { dueAt } = compiled.tasks[j]!
  return dueAt !== null && dueAt < compiled.problem.now
}

/** How the task stands to its due date, and who waits for it. */
function standing(view: Outlook, j: number) {
  const { compiled, rest, end, when, title } = view
  const { due, successors } = compiled
  const waiting = successors[j]!.find((k) => compiled.need[k]! > 0)
  const then = waiting === undefined ? '' : `; ${title(waiting)} waits for it`
  if (due[j] === NO_DUE) return then ? `Done ${when(end[j]!)}${then}.` : ''
  if (rest[j]! > 0) return `${span(rest[j]!)} of it found no place, due ${view.dueWords(j)}.`
  return `${lateness(view, j)}${then}.`
}

function lateness(view: Outlook, j: number) {
  const { compiled, end, when } = view
  const done = when(end[j]!)
  if (overdue(view, j)) return `Overdue since ${view.dueWords(j)}; done ${done}`
  if (inTime(view, j)) return `Done ${done}, due ${view.dueWords(j)}`
  const delay = longSpan(end[j]! - compiled.due[j]!)
  return `Late: done ${done}, ${delay} after it was due ${view.dueWords(j)}`
}

/** Why a task is at risk, with the proof if no plan could do better. */
export function lateReason(view: Outlook, j: number, { late }: Proofs) {
  const { due } = view.compiled
  const proof = late.get(j) ?? null
  const is = overdue(view, j) ? 'was' : 'is'
  const fact =
    view.rest[j]! > 0
      ? `${missing(view, j)} no place; it ${is} due ${view.dueWords(j)}.`
      : `${lateness(view, j)}.`
  return { text: `${fact} ${proof ?? choice(view, j, due[j]!)}`, proof }
}

/** Why a task is left over, in part or whole. */
export function leftReason(view: Outlook, j: number, { leftOver }: Proofs) {
  const { predecessors, horizon } = view.compiled
  const proof = leftOver.get(j) ?? null
  const fact = `${missing(view, j)} no place in the next 14 days.`
  const before = predecessors[j]!.find((i) => view.rest[i]! > 0)
  if (!proof && before !== undefined) {
    const wait = `It waits for ${view.title(before)}, which is not planned in full.`
    return { text: `${fact} ${wait}`, proof }
  }
  return { text: `${fact} ${proof ?? choice(view, j, horizon)}`, proof }
}

function missing({ compiled, rest }: Outlook, j: number) {
  const need = compiled.need[j]!
  if (rest[j] === need) return `Its ${span(need)} found`
  return `${span(rest[j]!)} of its ${span(need)} found`
}

/** Without a proof it was the planner's choice, and that is said. */
function choice(view: Outlook, j: number, until: number) {
  const { blocks, taskBounds, compiled, title } = view
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

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
